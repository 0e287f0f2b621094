#include "reference/qpn8/weights.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::reference {
namespace {

constexpr std::uint32_t tile_rows = 32, group_k = 16, block = 128;

void check_shape(const Fp8View& w) {
  const bool channel = w.kind == Fp8Scales::channel;
  if (w.k % group_k != 0) throw std::invalid_argument("k is not a multiple of 16");
  if (!channel && (w.n % block != 0 || w.k % block != 0))
    throw std::invalid_argument("n and k do not divide into blocks of 128");
  if (w.codes.size() != std::size_t{w.n} * w.k)
    throw std::invalid_argument("codes do not have the shape [n, k]");
  if (w.scales.size() != (channel ? std::size_t{w.n} : std::size_t{w.n / block} * (w.k / block)))
    throw std::invalid_argument("scales do not have the shape of their kind");
}

Half packed_scale(float scale) {
  return to_half(static_cast<double>(scale) * 256);
}

std::size_t padded(std::uint32_t n) {
  return std::size_t{(n + tile_rows - 1) / tile_rows} * tile_rows;
}

/// Where element (row, k) stands among those of the packed matrix, whatever their size.
class Places {
 public:
  explicit Places(std::uint32_t k) : groups_(k / group_k) {
    for (std::uint32_t lane = 0; lane < tile_rows; ++lane)
      lane_of_column_[8 * ((lane >> 2) & 3) + (lane & 3) + ((lane & 16) != 0 ? 4 : 0)] = lane;
    // Inside each run of 8 k the physical order is 0,2,4,6,1,3,5,7.
    constexpr std::array<std::uint32_t, 8> logical = {0, 2, 4, 6, 1, 3, 5, 7};
    for (std::uint32_t p = 0; p < 16; ++p) physical_[8 * (p / 8) + logical[p % 8]] = p;
  }

  std::size_t operator()(std::uint32_t row, std::uint32_t k) const {
    const std::size_t tile = row / tile_rows, group = k / group_k;
    return ((tile * groups_ + group) * 32 + lane_of_column_[row % tile_rows]) * 16 + physical_[k % group_k];
  }

 private:
  std::size_t groups_;
  std::array<std::uint32_t, tile_rows> lane_of_column_{};
  std::array<std::uint32_t, group_k> physical_{};
};

template <class T>
std::vector<T> permuted(std::span<const T> elements, std::uint32_t n, std::uint32_t k) {
  const Places place(k);
  std::vector<T> packed(padded(n) * k);
  tbb::parallel_for(0U, n, [&](std::uint32_t row) {
    for (std::uint32_t i = 0; i < k; ++i) packed[place(row, i)] = elements[std::size_t{row} * k + i];
  });
  return packed;
}

/// The weight of every code under one scale.
std::array<Half, 256> weights_of_codes(Half scale) {
  std::array<Half, 256> weights{};
  for (std::size_t code = 0; code < weights.size(); ++code)
    weights[code] = mul(to_half(std::ldexp(double{e4m3_value(static_cast<std::uint8_t>(code))}, -8)), scale);
  return weights;
}

}  // namespace

Fp8Matrix quantize_fp8(std::span<const Half> w, std::uint32_t n, std::uint32_t k) {
  if (w.size() != std::size_t{n} * k) throw std::invalid_argument("weights do not have the shape [n, k]");
  Fp8Matrix result{std::vector<std::uint8_t>(w.size()), std::vector<float>(n)};
  tbb::parallel_for(0U, n, [&](std::uint32_t row) {
    const std::span<const Half> of_row = w.subspan(std::size_t{row} * k, k);
    float amax = 0;
    for (const Half x : of_row) amax = std::max(amax, std::fabs(to_float(x)));
    const float scale = std::max(amax / 448.0F, std::numeric_limits<float>::min());
    result.scales[row] = scale;
    for (std::uint32_t i = 0; i < k; ++i)
      result.codes[std::size_t{row} * k + i] = to_e4m3(to_float(of_row[i]) / scale);  // clamps to +-448
  });
  return result;
}

std::vector<Half> decode_qpn8(const Fp8View& w) {
  check_shape(w);
  const std::uint32_t extent = w.kind == Fp8Scales::channel ? w.k : block;
  std::vector<Half> weights(w.codes.size());
  tbb::parallel_for(0U, w.n, [&](std::uint32_t row) {
    const std::size_t scale_row = w.kind == Fp8Scales::channel ? row : row / block;
    for (std::uint32_t first = 0; first < w.k; first += extent) {
      const float scale = w.scales[scale_row * (w.k / extent) + first / extent];
      const std::array<Half, 256> of_code = weights_of_codes(packed_scale(scale));
      for (std::size_t i = std::size_t{row} * w.k + first, end = i + extent; i < end; ++i)
        weights[i] = of_code[w.codes[i]];
    }
  });
  return weights;
}

std::vector<std::uint8_t> pack_qpn8_codes(const Fp8View& w) {
  check_shape(w);
  return permuted(w.codes, w.n, w.k);
}

std::vector<Half> pack_qpn8_scales(const Fp8View& w) {
  check_shape(w);
  if (w.kind == Fp8Scales::channel) {
    std::vector<Half> packed(padded(w.n));
    std::ranges::transform(w.scales, packed.begin(), packed_scale);
    return packed;
  }
  const std::size_t tiles = w.n / tile_rows, blocks = w.k / block;
  std::vector<Half> packed(blocks * tiles);
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t tile = 0; tile < tiles; ++tile)
      packed[b * tiles + tile] = packed_scale(w.scales[tile * tile_rows / block * blocks + b]);
  return packed;
}

std::vector<Half> pack_head(std::span<const Half> head, std::uint32_t n, std::uint32_t k) {
  if (head.size() != std::size_t{n} * k || k % group_k != 0)
    throw std::invalid_argument("the head does not have the shape [n, k]");
  return permuted(head, n, k);
}

}  // namespace quadpair::reference
