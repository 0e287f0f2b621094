// Operands of the reference GEMM, laid out for its inner loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/formats/fp16.hpp"
#include "reference/gemm/panels.hpp"
#include "reference/gemm/schedule.hpp"

namespace quadpair::reference {

/// Exponent codes are bytes, so that 64 of them are added or compared at once. With e the FP16 exponent field
/// (1 for subnormals), code = e + 25, and 0 for a zero. The code of a row's element has `row_code_bias`
/// added, so that the sum of two codes is the FP32 exponent field of 2^(ea + eb). A zero times a nonzero
/// number then looks like an exponent of at most -25. That is harmless: every product of FP16 numbers, and so
/// every sum, is a multiple of 2^-48, which no step with E <= -25 truncates.
inline constexpr std::uint8_t nonzero_code_bias = 25;
inline constexpr std::uint8_t row_code_bias = 47;

/// Products that the inner loops take at a time: a multiple of every step width, and few enough for the
/// weights to stay in the L1 cache. A stream is cut into blocks of as many, the last one shorter.
inline constexpr std::size_t block_products = 96;

/// The rows of x as FP32 and as exponent codes repeated in all four bytes, in the schedule's order of k,
/// block after block: of products [first, first + count) row r stands at m . first + r . count.
struct PackedRows {
  std::size_t m = 0;
  std::vector<float> values;
  std::vector<std::uint32_t> codes;
  std::vector<std::uint8_t> finite;  ///< [m]: no Inf or NaN in the row
};

/// x is FP16 [m, .] with leading dimension ldx.
PackedRows pack_rows(const Half* x, std::uint32_t m, std::uint32_t ldx, const Schedule& schedule);

}  // namespace quadpair::reference
