// Whether the data of a case could have shown a fault at all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/record.hpp"

namespace quadpair::compare {

/// Counts the distinct codes and scale bytes; `subnormal_weights` is what preparation found.
reports::Coverage cover(std::span<const std::uint8_t> packed_code_pairs, std::span<const std::uint8_t> scales,
                        std::uint64_t subnormal_weights);

/// The same of E4M3FN codes, which have no scale bytes, and the FP16 weights that they decode to.
reports::Coverage cover_fp8(std::span<const std::uint8_t> codes, std::span<const std::uint16_t> decoded);

/// Of FP16 weights, which have no codes: how many are subnormal.
reports::Coverage cover_fp16(std::span<const std::uint16_t> weights);

/// Whether sum x[i].w[i] is the same in FP32 in any order and with any tensor-core model (sufficient, not
/// necessary): every product is a multiple of a quantum q = 2^e, and sum |x[i]||w[i]| < 2^23 q. No partial
/// sum then loses a bit: it has at most 23 bits above q, and a fused step truncates below 2^(E-23) <= q.
/// True too where an operand is an infinity or a NaN, whose sums no order changes.
bool exact_in_any_order(std::span<const std::uint16_t> x, std::span<const std::uint16_t> w);

/// What a case promises, and what was seen of it.
struct Evidence {
  bool judges_order = true;        ///< the case claims that another order of summation would show
  bool promises_all_codes = true;  ///< the case claims that its weights hold all codes
  reports::Coverage coverage;
  bool sums_exact = false;  ///< every sampled sum was exact_in_any_order
  /// Outputs of each round of inputs, FP16 and FP32 patterns.
  std::vector<std::span<const std::uint16_t>> expected{};
  std::vector<std::span<const std::uint32_t>> expected_fp32{};
};

/// Why a case that shows no mismatch proves nothing all the same, or nothing when it does prove something.
std::optional<std::string> why_mistrusted(const Evidence& evidence);

}  // namespace quadpair::compare
