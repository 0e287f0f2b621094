#include "harness/bench/fold.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/compare/check.hpp"
#include "kernels/bench/stream.hpp"

namespace quadpair::bench {

std::vector<std::uint8_t> folded(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> sums;
  for (std::size_t start = 0; start < bytes.size(); start += stream_block) {
    std::uint8_t sum[4] = {};
    const std::size_t end = std::min<std::size_t>(bytes.size(), start + stream_block);
    for (std::size_t i = start; i < end; ++i) sum[i % 4] ^= bytes[i];
    sums.insert(sums.end(), sum, sum + 4);
  }
  return sums;
}

std::function<std::vector<reports::Check>(const std::string&, const std::vector<std::byte>&)> judge_of(
    std::vector<std::uint8_t> expected) {
  return [expected = std::move(expected)](const std::string& name, const std::vector<std::byte>& bytes) {
    std::vector<std::uint8_t> actual(bytes.size()), wanted;
    std::memcpy(actual.data(), bytes.data(), bytes.size());
    for (std::size_t use = 0; use < actual.size() / expected.size(); ++use)
      wanted.insert(wanted.end(), expected.begin(), expected.end());
    return std::vector{compare::bitwise(name, wanted, actual)};
  };
}

}  // namespace quadpair::bench
