#include "harness/compare/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace quadpair::compare {

std::string hash(std::span<const std::byte> bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

}  // namespace quadpair::compare
