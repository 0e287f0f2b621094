#include "harness/device/emulator/observe/written_bytes.hpp"

#include <algorithm>

namespace quadpair::emulator {
namespace {

constexpr std::size_t word_bits = 64;

/// Calls act(word, mask) for the words that hold the bits [offset, offset + count), until it yields false.
template <class Act>
bool for_words(std::size_t offset, std::size_t count, Act act) {
  while (count != 0) {
    const std::size_t from = offset % word_bits, here = std::min(count, word_bits - from);
    const std::uint64_t ones = here == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    if (!act(offset / word_bits, ones << from)) return false;
    offset += here;
    count -= here;
  }
  return true;
}

}  // namespace

void WrittenBytes::clear() {
  std::ranges::fill(bits_, 0);
  complete_ = false;
}

void WrittenBytes::add(std::size_t offset, std::size_t bytes) {
  for_words(offset, bytes, [&](std::size_t word, std::uint64_t mask) {
    bits_[word] |= mask;
    return true;
  });
  complete_ |= offset == 0 && bytes == bytes_;
}

bool WrittenBytes::all(std::size_t offset, std::size_t bytes) const {
  return complete_ || for_words(offset, bytes, [&](std::size_t word, std::uint64_t mask) {
           return (bits_[word] & mask) == mask;
         });
}

}  // namespace quadpair::emulator
