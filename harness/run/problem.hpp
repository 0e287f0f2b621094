// A case with its names resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/error.hpp"
#include "cases/suite.hpp"
#include "harness/run/operator.hpp"
#include "kernels/common/target.hpp"
#include "kernels/projection/policy.hpp"
#include "kernels/qpn8/layout.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::run {

/// A case's names as types, with everything that follows from them and the matrix's shape.
struct Problem {
  Target target{};
  reference::Model model{};
  std::optional<StoragePolicy> policy;     ///< of the weights; nothing for an operator without
  std::optional<qpn8::ScaleKind> fp8;      ///< of FP8 weights; nothing for an operator without
  bool temporary = false;                  ///< compact scales go through a temporary
  bool library = false;                    ///< products by the device's vendor
  std::uint32_t m = 0, n = 0, k = 0;       ///< logical; n counts the matrix's rows
  std::uint32_t halves = 1, padded_n = 0;  ///< as the operator sees the matrix
  std::uint32_t rows = 0, columns = 0;     ///< of the output
  std::uint32_t ldx = 0, ldy = 0;          ///< elements
  std::uint32_t y_before = 0;              ///< elements of y's buffer before its first row
  Operator op;

  bool gated() const { return halves == 2; }
};

/// Throws cases::DataError for a name that is not known, Refused where the operator does not admit the case.
Problem make_problem(const cases::Case& c, const cases::QuantizedMatrix& weights);

/// The buffers that the problem's weights keep on a device; none for an operator without weights.
std::vector<StorageItem> storage_of(const Problem& problem, std::uint32_t global_count);

}  // namespace quadpair::run
