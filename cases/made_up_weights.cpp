#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>

#include "cases/made_up.hpp"

namespace quadpair::cases {
namespace {

/// How many of 128 codes have each magnitude 0, 0.5, 1, 1.5, 2, 3, 4, 6, beside the one 6 that quantisation
/// puts in each group: rounded from the real slices of minilm.0 and smollm2.15.down.
constexpr std::array<std::uint8_t, 8> magnitude_counts = {10, 20, 18, 16, 20, 20, 17, 7};

/// A code for each random byte: bit 7 is the sign.
constexpr std::array<std::uint8_t, 256> code_of_byte = [] {
  std::array<std::uint8_t, 256> table{};
  std::size_t at = 0;
  for (std::uint8_t magnitude = 0; magnitude < 8; ++magnitude)
    for (std::uint8_t i = 0; i < magnitude_counts[magnitude]; ++i, ++at) {
      table[at] = magnitude;
      table[at + 128] = magnitude | 8;
    }
  return table;
}();

void draw_row(QuantizedMatrix& matrix, const RandomStream& stream, const Window& window, std::size_t row) {
  const std::size_t groups = matrix.k / 16, full_row = window.rows[row];
  const int row_level = 0x64 + std::popcount(stream.child(full_row)(0) & 0xFFFFFFFFu) - 16;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t here = row * groups + group;
    const std::size_t index = full_row * window.groups + window.first_group + group;
    const std::uint64_t words[2] = {stream(4 * index), stream(4 * index + 1)};
    const std::uint64_t choice = stream(4 * index + 2);
    std::uint8_t* codes = &matrix.codes[8 * here];
    for (unsigned byte = 0; byte < 8; ++byte) {
      const std::uint64_t word = words[byte / 4] >> (16 * (byte % 4));
      codes[byte] =
          static_cast<std::uint8_t>(code_of_byte[word & 0xFF] | code_of_byte[(word >> 8) & 0xFF] << 4);
    }
    const unsigned largest_at = choice & 15, shift = 4 * (largest_at & 1);
    const unsigned largest = 7 | (choice >> 4 & 1) << 3;
    std::uint8_t& pair = codes[largest_at / 2];
    pair = static_cast<std::uint8_t>((pair & (0xF0u >> shift)) | largest << shift);

    int level = row_level + std::popcount(stream(4 * index + 3)) - 32;  // binomial: deviation of 4 bytes
    if ((choice >> 5 & 0xFF) == 0) level += static_cast<int>(choice >> 13 & 63) - 40;
    matrix.scales[here] = static_cast<std::uint8_t>(std::clamp(level, 0x36, 0x7E));
  }
}

}  // namespace

QuantizedMatrix blank_matrix(std::string_view name, SliceShape shape, std::uint64_t seed) {
  QuantizedMatrix matrix;
  matrix.name = name;
  matrix.source = "made-up, seed " + std::to_string(seed);
  matrix.n = shape.n;
  matrix.k = shape.k;
  matrix.halves = shape.halves;
  matrix.codes.resize(std::size_t{shape.n} * shape.k / 2);
  matrix.scales.resize(std::size_t{shape.n} * shape.k / 16);
  return matrix;
}

void draw_like_trained(QuantizedMatrix& matrix, const RandomStream& stream) {
  Window all{std::vector<std::uint32_t>(matrix.n), matrix.k / 16, 0};
  std::iota(all.rows.begin(), all.rows.end(), 0u);
  draw_like_trained(matrix, stream, all);
}

void draw_like_trained(QuantizedMatrix& matrix, const RandomStream& stream, const Window& window) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, matrix.n, 64), [&](const auto& rows) {
    for (std::size_t row = rows.begin(); row != rows.end(); ++row) draw_row(matrix, stream, window, row);
  });
}

float draw_global(const RandomStream& stream, std::uint64_t part) {
  return 1.0f / (512.0f + static_cast<float>(stream(part) >> 45) / 64.0f);  // 19 bits: exact
}

void draw_uniform(QuantizedMatrix& matrix, const RandomStream& stream, std::uint8_t lowest,
                  std::uint8_t highest) {
  const RandomStream codes = stream.child(0), scales = stream.child(1);
  for (std::size_t i = 0; i < matrix.codes.size(); ++i)
    matrix.codes[i] = static_cast<std::uint8_t>(codes(i / 8) >> (8 * (i % 8)));
  for (std::size_t i = 0; i < matrix.scales.size(); ++i)
    matrix.scales[i] = static_cast<std::uint8_t>(lowest + scales(i) % (highest - lowest + 1u));
}

}  // namespace quadpair::cases
