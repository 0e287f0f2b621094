#include "cases/checkpoint/quantize.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::cases {
namespace {

constexpr float largest_code = 6, largest_scale = 448;
constexpr std::uint32_t group = 16;

float amax_of(std::span<const float> values) {
  float amax = 0;
  for (const float value : values) amax = std::max(amax, std::fabs(value));
  return amax;
}

QuantizedMatrix matrix_of(std::uint32_t n, std::uint32_t k) {
  QuantizedMatrix matrix;
  matrix.n = n;
  matrix.k = k;
  return matrix;
}

}  // namespace

float nvfp4_global(float amax) {
  return amax > 0 ? amax / (largest_code * largest_scale) : 1.0f;
}

QuantizedMatrix quantize_nvfp4(std::span<const float> w, std::uint32_t n, std::uint32_t k, float g) {
  QuantizedMatrix matrix = matrix_of(n, k);
  matrix.globals = {g};
  matrix.codes.resize(std::size_t{n} * k / 2);
  matrix.scales.resize(std::size_t{n} * k / group);
  for (std::size_t i = 0; i < matrix.scales.size(); ++i) {
    const std::span<const float> values = w.subspan(i * group, group);
    matrix.scales[i] = reference::to_e4m3(amax_of(values) / largest_code / g);
    const float step = reference::e4m3_value(matrix.scales[i]) * g;
    for (std::size_t j = 0; j < group && step > 0; ++j) {
      const unsigned code = reference::to_e2m1(values[j] / step);
      matrix.codes[(i * group + j) / 2] |= static_cast<std::uint8_t>(j % 2 == 0 ? code : code << 4);
    }
  }
  return matrix;
}

QuantizedMatrix quantize_fp8(std::span<const float> w, std::uint32_t n, std::uint32_t k) {
  QuantizedMatrix matrix = matrix_of(n, k);
  matrix.format = WeightFormat::fp8_channel;
  matrix.codes.reserve(w.size());
  for (std::uint32_t row = 0; row < n; ++row) {
    const std::span<const float> values = w.subspan(std::size_t{row} * k, k);
    const float scale = std::max(amax_of(values) / largest_scale, std::numeric_limits<float>::min());
    matrix.fp8_scales.push_back(scale);
    for (const float value : values) matrix.codes.push_back(reference::to_e4m3(value / scale));
  }
  return matrix;
}

}  // namespace quadpair::cases
