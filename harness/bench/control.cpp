#include "harness/bench/control.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cases/plan_text.hpp"
#include "kernels/projection/policy.hpp"
#include "kernels/wide/tm_gemm.hpp"

namespace quadpair::bench {

Control parse_control(const std::string& name) {
  using enum Control::Kind;
  if (name == "stream") return {name, stream};
  if (name == "cublas") return {name, cublas};
  if (const auto target = target_from_string(name)) return {name, kernel, target};
  if (const auto tuning = cases::plan_from_text(name)) return {name, kernel, std::nullopt, tuning};
  if (wide::tuning_from_string(name)) return {name, kernel, std::nullopt, std::nullopt, name};
  if (policy_from_string(name) || name == "temporary")
    return {name, kernel, std::nullopt, std::nullopt, std::nullopt, name};
  throw std::invalid_argument(fmt::format(
      "\"{}\" is none of stream, cublas, a target (sm70, sm80, sm90), a tuning (s16.c2, 64x128.s2) and "
      "a layout (dual, shared, compact, temporary)",
      name));
}

}  // namespace quadpair::bench
