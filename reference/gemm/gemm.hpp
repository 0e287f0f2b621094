// Products with FP16 weights on the CPU, bit for bit, in a kernel's own order of summation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/common/plan.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/formats/nvfp4_weights.hpp"
#include "reference/gemm/panels.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {

/// FP16 weights W [n, k], decoded by whatever rule, kept for several calls. Vectorised (Highway) and spread
/// over the cores (oneTBB).
class GemmMatrix {
 public:
  /// `weights` is row-major [n, k]; `halves` is 2 for a fused gate/up matrix. Throws std::invalid_argument
  /// when the sizes disagree.
  GemmMatrix(const std::vector<Half>& weights, std::uint32_t n, std::uint32_t k, std::uint32_t halves = 1);
  /// NVFP4 weights, decoded whenever they are used; the view's data must outlive the matrix. Throws
  /// std::invalid_argument where the buffers do not have the view's shape.
  GemmMatrix(const Nvfp4View& weights, const Nvfp4Rule& rule);
  ~GemmMatrix();
  GemmMatrix(GemmMatrix&&) noexcept;
  GemmMatrix& operator=(GemmMatrix&&) noexcept;

  std::uint32_t n() const;
  std::uint32_t k() const;

  /// Rows [first, first + count) of W, row-major [count, k].
  std::vector<Half> rows(std::uint32_t first, std::uint32_t count) const;

  /// Rows [64 index, 64 index + 64) of W as columns; valid until the space is used again.
  Panel panel(std::size_t index, PanelSpace& space) const;

  /// y[m, n] = h(sum): x is FP16 [m, k] with leading dimension ldx (elements); the sum is taken as the plan
  /// says, each fused step by the model. Throws std::invalid_argument when plan.k() != k or the model does
  /// not define plan.mma.
  std::vector<Half> gemm(const Half* x, std::uint32_t m, std::uint32_t ldx, const AccumulationPlan& plan,
                         Model model) const;

  /// The FP32 sums [m, n] that gemm() rounds; NaN is 0x7FFFFFFF.
  std::vector<float> sums(const Half* x, std::uint32_t m, std::uint32_t ldx, const AccumulationPlan& plan,
                          Model model) const;

  /// y[m, n/2] of a fused gate/up matrix (halves = 2): both products as gemm(), then gated_epilogue().
  std::vector<Half> gated(const Half* x, std::uint32_t m, std::uint32_t ldx, const AccumulationPlan& plan,
                          Model model) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quadpair::reference
