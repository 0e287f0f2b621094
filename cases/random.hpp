// Random bits by index: the same on any machine, for any number of threads.
#pragma once

#include <cstdint>
#include <string_view>

namespace quadpair::cases {

/// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014):
/// a bijection on 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// FNV-1a of a text, 64 bits.
constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

/// A sequence of 64-bit words addressed by index: SplitMix64 started at a key, with no state to carry.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::string_view name)
      : key_(mix64(mix64(seed) + hash_text(name))) {}

  constexpr std::uint64_t operator()(std::uint64_t index) const {
    return mix64(key_ + (index + 1) * 0x9E3779B97F4A7C15u);
  }

  /// Another stream for each number.
  constexpr RandomStream child(std::uint64_t number) const {
    return RandomStream(mix64(key_ ^ mix64(number + 1)));
  }

 private:
  constexpr explicit RandomStream(std::uint64_t key) : key_(key) {}
  std::uint64_t key_;
};

}  // namespace quadpair::cases
