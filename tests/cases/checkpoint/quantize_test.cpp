// The documented rules for dense weights, against a search over all codes.
#include "cases/checkpoint/quantize.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cases/checkpoint/matrix_reader.hpp"
#include "tests/cases/checkpoint/model.hpp"

namespace quadpair::cases {
namespace {

using testing::Folder;
using ::testing::HasSubstr;

/// Magnitudes of E2M1 and E4M3FN from their definition.
std::vector<double> e2m1() {
  return {0, 0.5, 1, 1.5, 2, 3, 4, 6};
}

std::vector<double> e4m3() {
  std::vector<double> values(127);
  for (int code = 0; code < 127; ++code)
    values[code] = code < 8 ? code * std::ldexp(1.0, -9) : std::ldexp(8 + code % 8, code / 8 - 10);
  return values;
}

/// The code of the magnitude nearest to |x|; of two equally near ones the even code.
unsigned nearest(const std::vector<double>& magnitudes, double x) {
  unsigned best = 0;
  for (unsigned code = 1; code < magnitudes.size(); ++code) {
    const double now = std::fabs(magnitudes[code] - std::fabs(x)),
                 before = std::fabs(magnitudes[best] - std::fabs(x));
    if (now < before || (now == before && code % 2 == 0)) best = code;
  }
  return best;
}

std::vector<float> weights(std::size_t count) {
  const RandomStream stream(5, "weights");
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = std::ldexp(static_cast<float>(static_cast<std::int32_t>(stream(i))),
                           -31 - static_cast<int>(i / 16 % 12));
  return values;
}

TEST(Quantize, Nvfp4IsTheNearestOfEachStep) {
  const std::vector<float> w = weights(8 * 64);
  const float amax = std::fabs(
      *std::max_element(w.begin(), w.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); }));
  const float g = nvfp4_global(amax);
  EXPECT_EQ(g, amax / 2688.0f);
  const QuantizedMatrix matrix = quantize_nvfp4(w, 8, 64, g);
  EXPECT_EQ(matrix.format, WeightFormat::nvfp4);
  bool largest = false;
  for (std::size_t i = 0; i < matrix.scales.size(); ++i) {
    float group = 0;
    for (std::size_t j = 0; j < 16; ++j) group = std::max(group, std::fabs(w[16 * i + j]));
    const float sixth = group / 6.0f;
    const unsigned scale = nearest(e4m3(), static_cast<double>(sixth / g));
    ASSERT_EQ(matrix.scales[i], scale);
    largest = largest || scale == 0x7E;
    const float step = static_cast<float>(e4m3()[scale]) * g;
    for (std::size_t j = 0; j < 16; ++j) {
      const unsigned code = matrix.codes[8 * i + j / 2] >> (j % 2 * 4) & 15;
      const float x = w[16 * i + j];
      ASSERT_EQ(code, nearest(e2m1(), static_cast<double>(x / step)) + (std::signbit(x) ? 8 : 0))
          << i << " " << j;
    }
  }
  EXPECT_TRUE(largest);  // the tensor's largest weight has the largest scale
}

TEST(Quantize, Nvfp4TiesGoToTheEvenCode) {
  // g = 1, amax 6: scale 1 (0x38). Halfway: 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.
  const std::vector<float> w = {6,      0.25f,  0.75f, 1.25f, 1.75f, 2.5f,  3.5f,  5,
                                -0.25f, -0.75f, -5,    0,     -0.0f, 0.26f, 2.51f, -6};
  const QuantizedMatrix matrix = quantize_nvfp4(w, 1, 16, 1);
  EXPECT_EQ(matrix.scales, std::vector<std::uint8_t>{0x38});
  EXPECT_EQ(matrix.codes, (std::vector<std::uint8_t>{0x07, 0x22, 0x44, 0x66, 0xA8, 0x0E, 0x18, 0xF5}));
}

TEST(Quantize, ZerosGiveZeros) {
  EXPECT_EQ(nvfp4_global(0), 1.0f);
  const std::vector<float> zeros(32);
  const QuantizedMatrix four = quantize_nvfp4(zeros, 2, 16, nvfp4_global(0));
  EXPECT_EQ(four.codes, std::vector<std::uint8_t>(16));
  EXPECT_EQ(four.scales, std::vector<std::uint8_t>(2));
  const QuantizedMatrix eight = quantize_fp8(zeros, 2, 16);
  EXPECT_EQ(eight.codes, std::vector<std::uint8_t>(32));
  EXPECT_EQ(eight.fp8_scales, std::vector<float>(2, 0x1p-126f));
  // A group far below the rest: its scale rounds to 0, and so do its weights.
  std::vector<float> far(32, 1e-6f);
  far[0] = 448 * 6;
  EXPECT_EQ(quantize_nvfp4(far, 1, 32, 1).scales[1], 0);
  EXPECT_EQ(quantize_nvfp4(far, 1, 32, 1).codes[15], 0);
}

TEST(Quantize, Fp8IsTheNearestOfEachRow) {
  const std::vector<float> w = weights(8 * 64);
  const QuantizedMatrix matrix = quantize_fp8(w, 8, 64);
  EXPECT_EQ(matrix.format, WeightFormat::fp8_channel);
  for (std::size_t row = 0; row < 8; ++row) {
    float amax = 0;
    for (std::size_t i = 0; i < 64; ++i) amax = std::max(amax, std::fabs(w[64 * row + i]));
    const float scale = amax / 448.0f;
    ASSERT_EQ(matrix.fp8_scales[row], scale);
    for (std::size_t i = 0; i < 64; ++i) {
      const float x = w[64 * row + i];
      ASSERT_EQ(matrix.codes[64 * row + i],
                nearest(e4m3(), static_cast<double>(x / scale)) + (std::signbit(x) ? 128 : 0));
    }
  }
}

/// A checkpoint with a dense "w" of 32 x 64.
Folder& with_dense(Folder& folder, NewTensor w) {
  return folder.write("model.safetensors", safetensors_bytes({{"w.weight", std::move(w)}}));
}

TEST(Quantize, FloatsOfEachKindAreTheSameWeights) {
  // Multiples of 2^-6 up to 2 fit in all three.
  const RandomStream stream(6, "w");
  std::vector<float> values(32 * 64);
  std::vector<std::uint16_t> brain(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::ldexp(static_cast<float>(static_cast<int>(stream(i) % 255) - 127), -6);
    brain[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(values[i]) >> 16);
  }
  Folder f32, bf16;
  with_dense(f32, testing::f32({32, 64}, values));
  with_dense(bf16, {"BF16", {32, 64}, testing::bytes_of(brain)});
  for (const Quantize to : {Quantize::nvfp4, Quantize::fp8}) {
    const auto a = read_matrix(Checkpoint(f32.path()), "w", whole(32, 64), to);
    const auto b = read_matrix(Checkpoint(bf16.path()), "w", whole(32, 64), to);
    EXPECT_EQ(a.codes, b.codes);
    EXPECT_EQ(a.scales, b.scales);
    EXPECT_EQ(a.fp8_scales, b.fp8_scales);
    // A cut is a cut of the whole, although each has another amax.
    const auto cut = read_matrix(Checkpoint(f32.path()), "w", {{{8, 8}}, 16, 32}, to);
    const std::size_t row = a.codes.size() / 32, width = cut.codes.size() / 8;
    for (std::size_t r = 0; r < 8; ++r)
      for (std::size_t i = 0; i < width; ++i)
        ASSERT_EQ(cut.codes[r * width + i], a.codes[(8 + r) * row + row / 4 + i]);
  }
  const NewTensor half = {
      "F16", {1, 16}, std::string("\x00\x3C", 2) + std::string(30, '\0')};  // 1, 0, 0, ...
  Folder f16;
  with_dense(f16, half);
  EXPECT_EQ(read_matrix(Checkpoint(f16.path()), "w", whole(1, 16), Quantize::fp8).fp8_scales.at(0),
            1.0f / 448);
}

TEST(Quantize, RefusesWhatIsNotFinite) {
  for (const float bad : {std::nanf(""), -HUGE_VALF}) {
    std::vector<float> values(32 * 64, 1);
    values[5 * 64 + 3] = bad;
    Folder folder;
    with_dense(folder, testing::f32({32, 64}, values));
    for (const Quantize to : {Quantize::nvfp4, Quantize::fp8})
      EXPECT_THAT(
          testing::refusal_of([&] { read_matrix(Checkpoint(folder.path()), "w", whole(32, 64), to); }),
          HasSubstr("model.safetensors: tensor 'w.weight'[5, 3] is "));
    EXPECT_THAT(testing::refusal_of(
                    [&] { read_matrix(Checkpoint(folder.path()), "w", whole(32, 64), Quantize::none); }),
                HasSubstr("tensor 'w.weight' is F32, not quantised"));
  }
}

}  // namespace
}  // namespace quadpair::cases
