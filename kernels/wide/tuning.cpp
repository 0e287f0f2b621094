// The tiles that tm_gemm takes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/wide/tuning_rule.hpp"

namespace quadpair::wide {
namespace {

std::uint64_t estimated_ns(const MeasuredTile& measured, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  constexpr std::uint64_t multiprocessors = 132, unit_k = 64;
  const Tuning& tile = measured.tile;
  const std::uint64_t blocks = ((m + tile.rows - 1) / tile.rows) * ((n + tile.columns - 1) / tile.columns);
  const std::uint64_t steps = (k / unit_k + tile.slices - 1) / tile.slices;
  if (measured.two_ns == 0) return (blocks + multiprocessors - 1) / multiprocessors * measured.one_ns * steps;
  const std::uint64_t rest = blocks % (2 * multiprocessors);  // of the last round
  return (blocks / (2 * multiprocessors) * measured.two_ns + (rest == 0                 ? 0
                                                              : rest <= multiprocessors ? measured.one_ns
                                                                                        : measured.two_ns)) *
         steps;
}

}  // namespace

std::string to_string(const Tuning& tuning) {
  std::string text = std::to_string(tuning.rows);
  text += "x";
  text += std::to_string(tuning.columns);
  if (tuning.wgmma) return text + ".wgmma";
  text += ".s";
  text += std::to_string(tuning.slices);
  return text;
}

std::optional<Tuning> tuning_from_string(const std::string& text) {
  Tuning tuning;
  tuning.wgmma = text.ends_with(".wgmma");
  const int wanted = tuning.wgmma ? 2 : 3;
  if (std::sscanf(text.c_str(), "%ux%u.s%u", &tuning.rows, &tuning.columns, &tuning.slices) != wanted ||
      to_string(tuning) != text)
    return std::nullopt;
  return tuning;
}

Tuning best_tile(std::span<const MeasuredTile> tiles, std::uint32_t m, std::uint32_t n, std::uint32_t k) {
  return std::ranges::min_element(
             tiles, {}, [&](const MeasuredTile& tile) { return estimated_ns(tile, std::max(m, 1u), n, k); })
      ->tile;
}

Tuning tuned(std::uint32_t m, std::uint32_t padded_n, std::uint32_t k, Target target) {
  if (target == Target::sm70) return m <= 32 ? Tuning{32, 64, 1} : Tuning{64, 128, 1};
  constexpr MeasuredTile native[] = {
      {{40, 32, 8}, 800, 1220}, {{40, 64, 4}, 670},   {{40, 64, 8}, 1200},       {{40, 96, 4}, 960},
      {{64, 32, 8}, 1060},      {{64, 64, 4}, 930},   {{64, 96, 4}, 1310},       {{96, 128, 1}, 665, 1120},
      {{96, 128, 2}, 1150},     {{128, 64, 4}, 1600}, {{128, 64, 2}, 940, 1480}, {{128, 128, 1}, 900, 1310}};
  if (target != Target::sm90) return best_tile(native, m, padded_n, k);
  std::vector<MeasuredTile> all(std::begin(native), std::end(native));
  for (const auto& [rows, columns, ns] : {std::array{64u, 192u, 535u},
                                          {96u, 128u, 505u},
                                          {128u, 128u, 590u},
                                          {128u, 192u, 715u},
                                          {152u, 256u, 935u}})
    all.push_back({{rows, columns, 1, true}, ns});
  return best_tile(all, m, padded_n, k);
}

}  // namespace quadpair::wide
