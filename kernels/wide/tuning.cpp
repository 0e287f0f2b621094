// The tiles that tm_gemm takes.
#include <algorithm>
#include <string>

#include "kernels/wide/tuning_rule.hpp"

namespace quadpair::wide {
namespace {

/// Cycles a unit of k that an H200 needs at best: for the products of the multiprocessor with the most
/// blocks, or for reading x and the weights of all blocks from L2. Both rates are of 1024ths of a cycle.
std::uint64_t estimate(const Tuning& tile, std::uint32_t m, std::uint32_t n, std::uint32_t weight_bits) {
  constexpr std::uint64_t multiprocessors = 132, products_a_cycle = 1300, bytes_a_cycle = 3100;
  const std::uint64_t blocks =
      ((m - 1) / tile.rows + std::uint64_t{1}) * ((n - 1) / tile.columns + std::uint64_t{1});
  const std::uint64_t products = (blocks + multiprocessors - 1) / multiprocessors * tile.rows * tile.columns;
  const std::uint64_t bits =
      blocks * (tile.rows * std::uint64_t{16} + tile.columns * std::uint64_t{weight_bits});
  return std::max(products * 1024 / products_a_cycle, bits * 128 / bytes_a_cycle);
}

}  // namespace

std::string to_string(const Tuning& tuning) {
  std::string text = std::to_string(tuning.rows);
  text += "x";
  text += std::to_string(tuning.columns);
  text += ".s";
  text += std::to_string(tuning.slices);
  return text;
}

Tuning best_tile(std::span<const Tuning> tiles, std::uint32_t m, std::uint32_t n, std::uint32_t weight_bits) {
  return *std::ranges::min_element(
      tiles, {}, [&](const Tuning& tile) { return estimate(tile, std::max(m, 1u), n, weight_bits); });
}

Tuning tuned(std::uint32_t m, std::uint32_t padded_n, std::uint32_t, Target target) {
  if (target == Target::sm70) return m <= 32 ? Tuning{32, 64, 1} : Tuning{64, 128, 1};
  constexpr Tuning native[] = {{128, 256, 1}, {96, 256, 1}, {128, 128, 1}, {64, 256, 1}, {96, 128, 2},
                               {72, 128, 2},  {64, 128, 2}, {48, 128, 2},  {64, 96, 4},  {64, 64, 4},
                               {40, 128, 2},  {40, 96, 4},  {40, 64, 4}};
  return best_tile(native, m, padded_n, 5);  // four and a half bits: a code and its part of a scale
}

}  // namespace quadpair::wide
