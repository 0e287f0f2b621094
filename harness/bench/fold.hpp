// What the streaming read must give, worked out on the host.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "reports/check.hpp"

namespace quadpair::bench {

/// For each block of stream_block bytes (the last may be shorter) the exclusive or of its 32-bit words.
/// As bytes, u32 little-endian.
std::vector<std::uint8_t> folded(std::span<const std::uint8_t> bytes);

/// Judges the sums of one or more uses, on end.
std::function<std::vector<reports::Check>(const std::string&, const std::vector<std::byte>&)> judge_of(
    std::vector<std::uint8_t> expected);

}  // namespace quadpair::bench
