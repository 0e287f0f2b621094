// qpn2_gemm and qpn2_gated on the CPU, bit for bit, in a kernel's own order of summation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/common/plan.hpp"
#include "reference/qpn2/weights.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {

/// Decoded weights, kept for several calls. Vectorised (Highway) and spread over the cores (oneTBB).
class Qpn2Matrix {
 public:
  explicit Qpn2Matrix(const Nvfp4View& w);
  ~Qpn2Matrix();
  Qpn2Matrix(Qpn2Matrix&&) noexcept;
  Qpn2Matrix& operator=(Qpn2Matrix&&) noexcept;

  std::uint32_t n() const;
  std::uint32_t k() const;

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

/// exp(t) for the gated epilogue: the formula of kernels/qpn2/gated.hpp, at most 1 ulp from exact.
float gated_exp(float t);

/// silu = h(x / (1 + exp(-x))) of the FP16 gate; h(silu . up).
Half silu(Half gate);
Half gated_epilogue(Half gate, Half up);

}  // namespace quadpair::reference
