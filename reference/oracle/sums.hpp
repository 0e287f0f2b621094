// The inner part of the oracle: products of rows with panels of weights in FP64, and their magnitudes.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/formats/fp16.hpp"

namespace quadpair::reference {

/// k that are summed at a time: a panel's weights for them stay in the L1 cache.
inline constexpr std::size_t oracle_block_k = 48;

/// Activations as numbers, and as the terms of the error bound: |x_k|' times its factor (see bound.cpp).
/// Block after block: of k [first, first + count) row r stands at m . first + r . count.
struct OracleRows {
  std::size_t m = 0, k = 0;
  std::vector<double> values;
  std::vector<float> magnitudes;
};

/// x is FP16 [m, k] with leading dimension ldx; `factors` is error_weights()'s result, [k].
OracleRows oracle_rows(const Half* x, std::uint32_t m, std::uint32_t ldx, const std::vector<double>& factors);

/// For rows [first, first + count) and the columns of `panel` (FP16 [k][panel_columns]): value += x . w in
/// FP64, one fused operation or an exact product and an addition a term, and error += magnitude . |w|' in
/// FP32; both [count][panel_columns]. Uses the best SIMD target of this CPU.
void add_products(const OracleRows& rows, std::size_t first, std::size_t count, const Half* panel,
                  double* value, float* error);

}  // namespace quadpair::reference
