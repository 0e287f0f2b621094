// How one output element came about, on a device and by the reference.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/history.hpp"
#include "harness/run/explain/device_sum.hpp"
#include "harness/run/explain/expected_sum.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::run {

/// 16 weights that share a scale.
struct WeightGroup {
  std::uint8_t codes[16] = {};             ///< E2M1, of FP8 weights E4M3
  std::optional<std::uint8_t> scale_byte;  ///< E4M3; FP8 weights have none
  reference::Half scale = 0;               ///< s of the rule, of FP8 weights h(scale . 256)
};

/// One sum of products: the element's own, or that of its gate or up.
struct SumExplained {
  std::string name;                ///< "sum", "gate", "up"
  std::uint32_t row = 0;           ///< of the weights
  std::vector<reference::Half> w;  ///< FP16 [k]
  std::vector<WeightGroup> groups;
  ExpectedSum expected;
  std::shared_ptr<const device::History> history;  ///< null where the device left nothing
  std::optional<DeviceSum> device;                 ///< nodes of `history`
};

/// Where device and reference part.
struct Difference {
  std::string kind;   ///< "fault", "not written", "order", "activation", "weight", "accumulator", ...
  std::string where;  ///< "sum, slice 2, chain 0, step 3"; empty where it is of no step
  std::string what;   ///< in a sentence
  std::optional<device::CodeLine> instruction;  ///< that made it
  std::vector<device::CodeLine> made_by;        ///< what that value was computed with, from the loads on
  std::optional<std::uint32_t> sum, slice, chain, step;
};

struct Explanation {
  std::string id, operation, target, model, rule, plan;
  std::uint32_t row = 0, column = 0, m = 0, n = 0, k = 0, ldx = 0;
  MmaShape mma = MmaShape::m8n8k4;
  std::vector<reference::Half> x;  ///< FP16 [k]
  std::vector<SumExplained> sums;
  std::shared_ptr<const device::History> history;  ///< of the stored number
  reference::Half expected = 0;
  std::optional<reference::Half> actual;
  double value = 0, bound = 0;  ///< FP64, and the largest error that the plan may have
  std::optional<Difference> difference;
};

}  // namespace quadpair::run
