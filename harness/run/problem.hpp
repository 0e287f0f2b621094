// A case with its names resolved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/error.hpp"
#include "cases/suite.hpp"
#include "kernels/qpn2/gated.hpp"
#include "kernels/qpn2/gemm.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::run {

/// A case's names as types, with everything that follows from them and the matrix's shape.
struct Problem {
  bool gated;
  std::uint32_t m, n, k;  ///< logical; n counts the matrix's rows
  std::uint32_t padded_n;
  std::uint32_t ldx, ldy;  ///< elements
  Target target;
  reference::Model model;
  qpn2::Tuning tuning;
  AccumulationPlan plan;

  std::uint32_t halves() const { return gated ? 2 : 1; }
  std::uint32_t columns() const { return gated ? n / 2 : n; }  ///< of the output
};

/// Throws cases::DataError for a name that is not known, Refused where no tuning is admissible.
Problem make_problem(const cases::Case& c, const cases::QuantizedMatrix& weights);

/// The operator's launches. Throws Refused.
std::vector<Launch> launches(const Problem& problem, const qpn2::GemmArguments& arguments);

/// The arguments of the problem's shape, without buffers.
qpn2::GemmArguments arguments_of(const Problem& problem);

}  // namespace quadpair::run
