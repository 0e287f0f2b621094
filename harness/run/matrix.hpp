// A slice made ready for both sides: checked, decoded and packed by the reference, fingerprinted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cases/quantized_matrix.hpp"
#include "harness/compare/trust.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/qpn2/weights.hpp"

namespace quadpair::run {

/// Immutable and shared by every case of the slice; costs several times the bytes of the slice.
struct Matrix {
  /// Checks the weights as the kernels' preparation does (throws RangeError), then decodes and packs them.
  /// `halves` is the operator's: 2 for gated.
  Matrix(std::shared_ptr<const cases::QuantizedMatrix> slice, std::uint32_t halves);

  std::shared_ptr<const cases::QuantizedMatrix> weights;
  reference::Nvfp4View view;  ///< of *weights
  std::uint32_t padded_n;
  convert::Preparation preparation;
  compare::Coverage coverage;
  reference::GemmMatrix reference;
  std::vector<std::uint8_t> packed_codes, packed_scales;  ///< what the pack kernels must give

  std::size_t bytes() const;  ///< held in memory besides the slice, about
};

/// SHA-256 (lower-case hex) of codes, scales, globals and FP8 scales, in this order.
std::string fingerprint(const cases::QuantizedMatrix& slice);

}  // namespace quadpair::run
