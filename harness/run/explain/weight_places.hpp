// Which weight a byte of a packed buffer belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/run/problem.hpp"

namespace quadpair::run {

/// Codes or a scale of `count` k of one row of the padded matrix.
struct WeightPlace {
  std::uint32_t row = 0, first_k = 0, count = 0;

  bool covers(std::uint32_t padded_row, std::uint32_t k) const {
    return row == padded_row && first_k <= k && k < first_k + count;
  }
};

/// Of a byte of a projection's buffer by its name in the ledger, or of the workspace where that holds
/// restored scales; nothing for other buffers. A run of 8 codes counts as one.
std::optional<WeightPlace> weight_place(const Problem& problem, std::string_view buffer,
                                        std::uint64_t offset);

/// The scale of an FP8 weight.
float fp8_scale(const cases::QuantizedMatrix& weights, std::uint32_t row, std::uint32_t k);

/// Whether the buffer, by that name, holds codes, or scales.
bool holds_codes(std::string_view buffer);
bool holds_scales(const Problem& problem, std::string_view buffer);

}  // namespace quadpair::run
