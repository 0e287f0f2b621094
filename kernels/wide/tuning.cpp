// The tiles that tm_gemm takes.
#include <algorithm>
#include <string>

#include "kernels/wide/tm_gemm.hpp"

namespace quadpair::wide {

std::string to_string(const Tuning& tuning) {
  std::string text = std::to_string(tuning.rows);
  text += "x";
  text += std::to_string(tuning.columns);
  text += ".s";
  text += std::to_string(tuning.slices);
  return text;
}

Tuning tuned(std::uint32_t m, std::uint32_t padded_n, std::uint32_t, Target target) {
  if (target == Target::sm70) return m <= 32 ? Tuning{32, 64, 1} : Tuning{64, 128, 1};
  if (m <= 40) return padded_n > 6144 ? Tuning{40, 96, 4} : Tuning{40, 64, 4};
  if (m <= 48) return {48, 128, 2};
  if (m <= 64) return padded_n > 6144 ? Tuning{64, 96, 4} : Tuning{64, 64, 4};
  if (m <= 128) return {64, 128, 2};
  if (m <= 144) return {72, 128, 2};
  if (m <= 256) return {64, 128, 2};
  const auto padded_rows = [m](std::uint32_t rows) { return (m + rows - 1) / rows * rows; };
  return padded_rows(96) < padded_rows(128) ? Tuning{96, 256, 1} : Tuning{128, 256, 1};
}

}  // namespace quadpair::wide
