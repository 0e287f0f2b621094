// What one operator has of its own, as a value: what it launches, and what it must give.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/inputs/inputs.hpp"
#include "harness/run/matrix.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/projection/projection.hpp"
#include "kernels/qpn8/projection.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::run {

/// Where a case's data lies on a device.
struct Operands {
  const Projection* projection = nullptr;  ///< NVFP4 weights; null for an operator without
  const qpn8::Projection* fp8 = nullptr;   ///< FP8 weights; null for an operator without
  DevicePtr x = 0, y = 0, workspace = 0;
  bool early_start = false;  ///< kernels that can may start before what is ahead of them has ended
};

/// What reference and oracle say of every round of inputs.
struct Expected {
  std::vector<std::uint16_t> y;            ///< FP16 [rounds . rows, columns]
  std::vector<std::uint32_t> oracle_rows;  ///< rows of each round that the oracle judges, ascending
  reference::OracleResult oracle;          ///< [rounds . oracle_rows, columns]
};

struct Operator {
  /// Modules of the kernels that this case must launch, in the order in which each is first launched.
  std::vector<std::string_view> route;
  std::optional<AccumulationPlan> plan;   ///< of the sums; nothing where none are taken
  DecodeRule rule = DecodeRule::qpn2;     ///< of the weights that the route multiplies with
  std::uint32_t split_k = 0, chains = 0;  ///< S and C where the route has them
  std::vector<std::string_view> reads;    ///< codes and scales that a use reads, by their names in the ledger
  std::size_t workspace_bytes = 0;
  /// Throws Refused.
  std::function<std::vector<Launch>(const Operands& operands)> launches;
  /// The same as decoded chunks with their products, where a library may compute those; else empty.
  std::function<std::vector<dense::Chunk>(const Operands& operands)> chunks;
  std::function<Expected(const Matrix& matrix, const std::vector<inputs::Inputs>& rounds)> expect;
};

}  // namespace quadpair::run
