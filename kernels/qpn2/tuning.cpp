#include "kernels/qpn2/tuning.hpp"

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {

Tuning tuned(std::uint32_t k, std::uint32_t padded_n, Target target, bool gated) {
  const Tuning choice = tuning_rule(k, padded_n, target, gated).value_or(Tuning{8, 2});
  if (const auto reason = why_refused(0, padded_n, k, choice, target, gated)) throw Refused(*reason);
  return choice;
}

}  // namespace quadpair::qpn2
