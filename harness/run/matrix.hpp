// A slice made ready: checked, decoded and packed by the reference, fingerprinted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cases/quantized_matrix.hpp"
#include "kernels/qpn8/layout.hpp"
#include "reference/formats/nvfp4.hpp"
#include "reference/gemm/gemm.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// Which contract decodes a weight: they round differently.
enum class DecodeRule { qpn2, turbomind, qpn8 };

/// Shared by every case of the slice; costs several times the bytes of the slice. What only some operators
/// need is made when it is first asked for, by whichever thread asks; others wait.
class Matrix {
 public:
  /// Checks the weights as the kernels' preparation does (throws RangeError). `halves` is the operator's: 2
  /// for gated.
  Matrix(std::shared_ptr<const cases::QuantizedMatrix> slice, std::uint32_t halves);

  const std::shared_ptr<const cases::QuantizedMatrix> weights;
  const reference::Nvfp4View view;  ///< of *weights, where they are NVFP4
  const std::uint32_t padded_n;
  const reports::Coverage coverage;

  /// The FP16 weights under a rule of their format.
  const reference::GemmMatrix& decoded(DecodeRule rule) const;

  /// What a projection's buffer of that name in the ledger must hold, by the reference; "fp8_codes" and
  /// "fp8_scales" are the checkpoint's. Throws
  /// std::invalid_argument for another name.
  std::span<const std::uint8_t> packed(std::string_view item) const;

  std::size_t bytes() const;  ///< held in memory besides the slice, at most

 private:
  using Packed = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>,
                              std::vector<std::uint32_t>, std::vector<float>>;
  Packed pack(std::string_view item) const;

  mutable std::mutex mutex_;  ///< guards what follows
  mutable std::optional<reference::GemmMatrix> decoded_[3];
  mutable std::map<std::string, Packed, std::less<>> packed_;
};

/// What the kernels call the scales of FP8 weights.
qpn8::ScaleKind scale_kind(const cases::QuantizedMatrix& fp8);

/// SHA-256 (lower-case hex) of codes, scales, globals and FP8 scales, in this order.
std::string fingerprint(const cases::QuantizedMatrix& slice);

}  // namespace quadpair::run
