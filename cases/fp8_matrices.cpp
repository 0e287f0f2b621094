// FP8 matrices: Whisper's head quantised, made-up ones at the edges of the format, and ones with a fault.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cases/checkpoint/quantize.hpp"
#include "cases/heads.hpp"
#include "cases/made_up.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::cases {
namespace {

constexpr std::uint32_t side = 128;  ///< of a block with one scale

/// Rows run through all 254 codes that are numbers, each row in an order of its own.
void cover_codes(QuantizedMatrix& w) {
  for (std::size_t i = 0; i < w.codes.size(); ++i) {
    const std::size_t row = i / w.k,
                      turn = (i % w.k * 85 + row * 19) % 254;  // 85 and 254 have no common factor
    w.codes[i] =
        static_cast<std::uint8_t>(turn < 127 ? turn : turn + 1);  // not 0x7F, and 0xFF is not reached
  }
}

/// Scales between 2^-12 and 2^-9, as trained matrices' rows and blocks have them.
void draw_scales(QuantizedMatrix& w, const RandomStream& stream) {
  for (std::size_t i = 0; i < w.fp8_scales.size(); ++i) {
    const std::uint64_t bits = stream(i);
    w.fp8_scales[i] =
        std::ldexp(1.0F + static_cast<float>(bits >> 41) * 0x1p-23F, -12 + static_cast<int>(bits % 3));
  }
}

/// From the least scale that FP16 holds times 256, over subnormal ones, to the largest that no code takes
/// beyond FP16; significands that must be rounded, some to the even neighbour.
void sweep_scales(QuantizedMatrix& w, const RandomStream&) {
  constexpr float significands[] = {1.0F, 0x1.002p+0F, 0x1.006p+0F, 0x1.5555p+0F, 0x1.fffffep+0F};
  for (std::size_t row = 0; row < w.fp8_scales.size(); ++row)  // 39 . 5 rows: each with each
    w.fp8_scales[row] = std::ldexp(significands[row % 5], -32 + static_cast<int>(row % 39));
}

/// Of three rows one holds zeros of both signs, under a scale of 0 or one that vanishes.
void zero_rows(QuantizedMatrix& w, const RandomStream& stream) {
  draw_scales(w, stream);
  for (std::size_t i = 0; i < w.codes.size(); ++i)
    if (i / w.k % 3 == 1) w.codes[i] &= 0x80;
  for (std::size_t row = 1; row < w.n; row += 3) w.fp8_scales[row] = row % 2 == 0 ? 0 : 0x1p-126F;
}

/// FP16 rows whose codes and scales the device makes itself: drawn, of zeros, of subnormal and of large
/// numbers, and ones where x / scale lies between two codes.
void quantize_rows(QuantizedMatrix& w, const RandomStream& stream) {
  std::vector<float> numbers(w.codes.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t row = i / w.k;
    const std::uint64_t bits = stream(i);
    const float drawn = std::ldexp(static_cast<float>(static_cast<std::int16_t>(bits)) * 0x1p-15F,
                                   -static_cast<int>(bits >> 16 & 7));
    float x = drawn * 0.1F;
    if (row % 8 == 1) x = 0;
    if (row % 8 == 3) x = drawn * 0x1p-18F;
    if (row % 8 == 5) x = drawn * 60000.0F;
    if (row % 8 == 7) x = i % w.k == 0 ? 448.0F : static_cast<float>(bits % 897) - 448.0F;  // ties
    w.fp16.push_back(reference::to_half(x));
    numbers[i] = reference::to_float(w.fp16.back());
  }
  const QuantizedMatrix quantized = quantize_fp8(numbers, w.n, w.k);
  w.codes = quantized.codes;
  w.fp8_scales = quantized.fp8_scales;
}

/// A fault at row 5, k 3, or in the scale that holds there.
template <std::uint8_t Code>
void plant_code(QuantizedMatrix& w, const RandomStream& stream) {
  draw_scales(w, stream);
  w.codes[5 * w.k + 3] = Code;
}
void plant_scale(QuantizedMatrix& w, const RandomStream& stream, float scale) {
  draw_scales(w, stream);
  w.fp8_scales[w.format == WeightFormat::fp8_channel ? 5 : 0] = scale;
}

using Finish = void (*)(QuantizedMatrix& w, const RandomStream& stream);

struct MadeUp {
  std::string_view name;
  std::uint32_t n, k;
  WeightFormat format;
  Finish finish;
};

constexpr auto channel = WeightFormat::fp8_channel, block = WeightFormat::fp8_block;
constexpr float inf = std::numeric_limits<float>::infinity();

constexpr MadeUp made_up[] = {
    {"fp8.channel", 100, 512, channel, draw_scales},
    {"fp8.block", 256, 512, block, draw_scales},
    {"fp8.attn_o", 5120, 1536, channel, draw_scales},  // a projection of the production model
    {"fp8.attn_o_block", 5120, 1536, block, draw_scales},
    {"fp8.scales", 195, 256, channel, sweep_scales},
    {"fp8.zero_rows", 72, 256, channel, zero_rows},
    {"fp8.quantized", 100, 640, channel, quantize_rows},
    {"fp8.one_row", 1, 256, channel, draw_scales},
    {"fp8.k64", 72, 64, channel, draw_scales},
    {"fp8.k576", 72, 576, channel, draw_scales},
    {"refused.fp8.code_nan", 64, 256, channel, plant_code<0x7F>},
    {"refused.fp8.code_minus_nan", 128, 256, block, plant_code<0xFF>},
    {"refused.fp8.scale_nan", 64, 256, channel,
     [](auto& w, const auto& s) { plant_scale(w, s, std::numeric_limits<float>::quiet_NaN()); }},
    {"refused.fp8.scale_infinite", 64, 256, channel, [](auto& w, const auto& s) { plant_scale(w, s, inf); }},
    {"refused.fp8.scale_negative", 128, 256, block, [](auto& w, const auto& s) { plant_scale(w, s, -1); }},
    {"refused.fp8.scale_zero", 64, 256, channel, [](auto& w, const auto& s) { plant_scale(w, s, 0); }},
    {"refused.fp8.scale_overflow", 64, 256, channel, [](auto& w, const auto& s) { plant_scale(w, s, 256); }},
    {"refused.fp8.scale_underflow", 64, 256, channel,
     [](auto& w, const auto& s) { plant_scale(w, s, 0x1p-33F); }},
    {"refused.fp8.weight_overflow", 64, 256, channel, [](auto& w, const auto& s) { plant_scale(w, s, 147); }},
    {"refused.fp8.block_rows", 200, 256, block, draw_scales},
    {"refused.fp8.block_k", 128, 320, block, draw_scales},
};

constexpr std::string_view real_channel = "whisper.head.fp8", real_block = "whisper.head.fp8_block";
constexpr std::string_view real_head = "whisper.head";

/// Whisper's head with a scale a row, or for 128 x 128 weights: amax / 448, codes to the nearest, ties to
/// even.
QuantizedMatrix make_real(std::string_view name, std::uint64_t seed) {
  const auto head = load_head(std::string(real_head), seed);
  QuantizedMatrix w;
  std::vector<float> numbers(head->weights.size());
  std::ranges::transform(head->weights, numbers.begin(), reference::to_float);
  if (name == real_channel) {
    w = quantize_fp8(numbers, head->n, head->k);
    w.fp16 = head->weights;
  } else {
    w.n = head->n;
    w.k = head->k;
    w.format = block;
    const std::uint32_t columns = w.k / side;
    w.fp8_scales.resize(std::size_t{w.n / side} * columns);
    const auto scale_of = [&](std::size_t i) -> float& {
      return w.fp8_scales[i / w.k / side * columns + i % w.k / side];
    };
    for (std::size_t i = 0; i < numbers.size(); ++i)
      scale_of(i) = std::max(scale_of(i), std::fabs(numbers[i]) / 448.0F);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      w.codes.push_back(reference::to_e4m3(numbers[i] / scale_of(i)));
  }
  w.name = name;
  w.source = head->source;
  return w;
}

const MadeUp* find(std::string_view name) {
  const auto* const found = std::ranges::find(made_up, name, &MadeUp::name);
  return found == std::end(made_up) ? nullptr : found;
}

std::optional<SliceShape> shape(std::string_view name) {
  SliceShape shape;
  if (name == real_channel || name == real_block)
    shape = head_shape(real_head).value();
  else if (const MadeUp* w = find(name))
    shape = {w->n, w->k};
  else
    return std::nullopt;
  shape.fp8 = true;
  return shape;
}

QuantizedMatrix make(std::string_view name, std::uint64_t seed) {
  const MadeUp* const made = find(name);
  if (made == nullptr) return make_real(name, seed);
  QuantizedMatrix w;
  w.name = name;
  w.source = std::string("made-up, seed ").append(std::to_string(seed));
  w.n = made->n;
  w.k = made->k;
  w.format = made->format;
  w.codes.resize(std::size_t{w.n} * w.k);
  w.fp8_scales.resize(w.format == channel ? w.n
                                          : std::size_t{(w.n + side - 1) / side} * ((w.k + side - 1) / side));
  cover_codes(w);
  made->finish(w, RandomStream(seed, name));
  return w;
}

}  // namespace

const MadeUpFamily fp8_family = {shape, make};

}  // namespace quadpair::cases
