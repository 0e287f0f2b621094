#include "kernels/qpn2/gemm.hpp"

#include "kernels/qpn2/admission.hpp"
#include "kernels/qpn2/entry.hpp"

namespace quadpair::qpn2 {

std::vector<Launch> gemm(const GemmArguments& arguments, Tuning tuning, Target target) {
  require_admitted(arguments, tuning, target, false);
  if (arguments.m == 0) return {};
  Launch launch = operator_launch("gemm", arguments, tuning, target, 1);
  launch.arguments.add(arguments.global.value);
  return {launch};
}

}  // namespace quadpair::qpn2
