// One instruction over many values: 32 a warp, in every way that the emulator can come to it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::device {

/// Sources a, b, c, e of one execution, in the low bits.
using Values = std::array<std::uint64_t, 4>;

/// Results of `instruction` (with its ';'), one a case. It writes %d and reads %a, %b, %c, %e; `classes`
/// gives the registers' classes in that order: p (predicate), h (16 bits), r (32), d (64), e.g. "rrr".
/// Results are zero-extended. Each case is run with all lanes of its warp active, in both sides of a
/// divergent branch, and guarded by a predicate and its negation; that these agree, and that lanes whose
/// guard is off keep what %d held, is part of the test.
std::vector<std::uint64_t> results_of(std::string_view instruction, const std::string& classes,
                                      const std::vector<Values>& cases);

/// Expects what `expected` gives, comparing bits, on every SIMD target; names the first case that differs.
void expect_results(std::string_view instruction, const std::string& classes,
                    const std::vector<Values>& cases,
                    const std::function<std::uint64_t(const Values&)>& expected);

}  // namespace quadpair::device
