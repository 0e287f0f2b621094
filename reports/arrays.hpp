// What went into a case and what came out, as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::reports {

/// FP16 bits [rows, columns], row-major.
struct HalfMatrix {
  std::uint64_t rows = 0, columns = 0;
  std::vector<std::uint16_t> bits;
  friend bool operator==(const HalfMatrix&, const HalfMatrix&) = default;
};

/// What is empty was not kept.
struct CaseArrays {
  std::string output{};  ///< which one is kept: "eager", "replay 1", ...
  std::optional<HalfMatrix> activations{}, expected{}, actual{};  ///< [M, K], [M, N], [M, N]
  std::vector<std::byte> codes{}, scales{};                       ///< as the checkpoint stores them
  std::vector<float> global_scale{};  ///< multipliers, as QuantizedMatrix has them
  std::vector<float> fp8_scales{};    ///< of FP8 weights
  friend bool operator==(const CaseArrays&, const CaseArrays&) = default;
};

/// The arrays as bytes, for another process of this program.
std::string to_bytes(const CaseArrays& arrays);

/// Throws std::invalid_argument for what to_bytes does not write.
CaseArrays arrays_from_bytes(std::string_view bytes);

}  // namespace quadpair::reports
