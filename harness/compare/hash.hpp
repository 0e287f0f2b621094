// Fingerprints of results.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace quadpair::compare {

/// XXH3-128 of the bytes, 32 lower-case hex digits (canonical, big-endian).
std::string hash(std::span<const std::byte> bytes);

}  // namespace quadpair::compare
