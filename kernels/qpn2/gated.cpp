#include "kernels/qpn2/gated.hpp"

#include "kernels/qpn2/admission.hpp"
#include "kernels/qpn2/entry.hpp"

namespace quadpair::qpn2 {

std::vector<Launch> gated(const GemmArguments& arguments, Tuning tuning, Target target) {
  require_admitted(arguments, tuning, target, true);
  if (arguments.m == 0) return {};
  Launch launch = operator_launch("gated", arguments, tuning, target, 2);
  const std::uint32_t up_tile = pad_gated(arguments.n) / 2 / tile_columns;
  launch.arguments.add(up_tile).add(arguments.global.value);
  return {launch};
}

}  // namespace quadpair::qpn2
