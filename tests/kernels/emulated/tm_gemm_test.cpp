// tm_gemm by its definition and plan: every compiled tile, both kinds of scales.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "kernels/qpn2/layout.hpp"
#include "kernels/wide/tm_gemm.hpp"
#include "tests/kernels/emulated/emulated.hpp"

namespace quadpair::wide {
namespace {

using namespace emulated;

/// TurboMind codes, both kinds of scales and the decoded weights of a made-up matrix, by definition.
struct Weights {
  std::uint32_t n, k, padded;
  std::vector<std::uint32_t> codes;
  std::vector<std::uint16_t> persistent, decoded;
  std::vector<std::uint8_t> compact;
  std::vector<float> globals;

  Weights(const Checkpoint& matrix, std::mt19937& random)
      : n(matrix.n),
        k(matrix.k),
        padded(qpn2::pad_to_tile(n)),
        codes(std::size_t{padded} * k / 8),
        persistent(std::size_t{padded} * k / 16),
        decoded(std::size_t{n} * k),
        compact(std::size_t{padded} * k / 16) {
    std::uniform_real_distribution<float> global(0.01f, 2.0f);
    for (std::uint32_t tile = 0; tile < padded / 32; ++tile)
      globals.push_back(tile % 2 == 1 || tile > 14 ? globals.back() : global(random));
    for (std::uint32_t row = 0; row < n; ++row)
      for (std::uint32_t column = 0; column < k; ++column) {
        const std::uint32_t tile = row / 32, group = column / 16, code = matrix.code(row, column);
        codes[(tile * (k / 8) + column / 8) * 32 + row % 32] |= code
                                                                << (4 * (column % 8 / 2 + column % 2 * 4));
        const std::uint8_t byte = matrix.scale(row, group);
        const std::uint16_t scale = half(e4m3(byte) * globals[tile]);
        compact[(tile * (k / 16) + group) * 32 + qpn2::lane_of_column(row % 32)] = byte;
        persistent[group * padded + row] = scale;
        decoded[row * k + column] = half(e2m1(static_cast<std::uint8_t>(code)) * to_float(scale));
      }
  }
};

/// The tilings that a target's module has been compiled for.
std::vector<Tuning> compiled(Target target) {
  std::vector<Tuning> tunings;
  for (const KernelInfo& kernel : find_module("wide/tm_gemm", target).kernels) {
    std::string text(kernel.entry);
    if (const std::string prefix = "tm_gemm_compact_"; text.starts_with(prefix)) {
      text = text.substr(prefix.size());
      text[text.find('_')] = '.';
      tunings.push_back(tuning_from_string(text).value());
    }
  }
  return tunings;
}

class TmGemm : public testing::TestWithParam<Target> {
 protected:
  std::vector<std::uint16_t> product(const Weights& weights, Scales kind, const std::vector<std::uint16_t>& x,
                                     std::uint32_t m, std::uint32_t ldx, std::uint32_t ldy, Tuning tuning) {
    const auto codes = input(*device_, "codes", weights.codes), rows = input(*device_, "x", x);
    const auto scales = kind == Scales::compact ? input(*device_, "scales", weights.compact)
                                                : input(*device_, "scales", weights.persistent);
    const auto y = output(*device_, "y", std::size_t{m} * ldy * 2);
    TmGemmArguments a;
    a.m = m, a.n = weights.n, a.k = weights.k, a.ldx = ldx, a.ldy = ldy;
    a.codes = codes->address(), a.kind = kind, a.scales = scales->address();
    a.globals = global_parts(weights.globals, weights.padded / 32);
    a.x = rows->address(), a.y = y->address();
    device_->run(tm_gemm(a, tuning, GetParam()));
    return contents<std::uint16_t>(*y);
  }

  /// Of persistent scales, without gaps between rows.
  std::vector<std::uint16_t> plain_product(const std::vector<std::uint32_t>& codes,
                                           const std::vector<std::uint16_t>& scales,
                                           const std::vector<std::uint16_t>& x, std::uint32_t m,
                                           std::uint32_t n, std::uint32_t k) {
    const auto code_buffer = input(*device_, "codes", codes),
               scale_buffer = input(*device_, "scales", scales), rows = input(*device_, "x", x),
               y = output(*device_, "y", std::size_t{m} * n * 2);
    TmGemmArguments a;
    a.m = m, a.n = n, a.k = k, a.ldx = k, a.ldy = n;
    a.codes = code_buffer->address(), a.scales = scale_buffer->address();
    a.x = rows->address(), a.y = y->address();
    device_->run(tm_gemm(a, compiled(GetParam()).back(), GetParam()));
    return contents<std::uint16_t>(*y);
  }

  std::mt19937 random_{23};
  std::unique_ptr<device::Device> device_ = emulator(GetParam());
};

TEST_P(TmGemm, EveryTileByPlan) {
  // 5 units of k divide into no number of slices; n ends inside a tile and is odd; rows of x and y have gaps.
  constexpr std::uint32_t k = 320;
  ASSERT_FALSE(compiled(GetParam()).empty());
  for (const Tuning tuning : compiled(GetParam())) {
    const std::uint32_t n = tuning.columns + 39, m = tuning.rows + 3, ldx = k + 8, ldy = n + 1 + n % 3;
    const Weights weights(random_checkpoint(n, k, random_), random_);
    std::vector<std::uint16_t> x = random_halves(std::size_t{m} * ldx - 8, random_);
    const AccumulationPlan plan = accumulation_plan(k, tuning, GetParam());
    std::vector<std::uint16_t> expected(std::size_t{m} * ldy, 0xA5A5);
    for (std::uint32_t row = 0; row < m; ++row)
      for (std::uint32_t column = 0; column < n; ++column)
        expected[row * ldy + column] =
            summed(plan, model_of(GetParam()), std::span(x).subspan(std::size_t{row} * ldx, k),
                   std::span(weights.decoded).subspan(std::size_t{column} * k, k));
    for (const Scales kind : {Scales::persistent, Scales::compact})
      EXPECT_EQ(product(weights, kind, x, m, ldx, ldy, tuning), expected) << to_string(tuning);
  }
}

TEST_P(TmGemm, AlignedRowsAndFewUnits) {
  constexpr std::uint32_t n = 64, k = 64;
  for (const Tuning tuning : compiled(GetParam())) {
    const Weights weights(random_checkpoint(n, k, random_), random_);
    const std::vector<std::uint16_t> x = random_halves(k, random_);
    const AccumulationPlan plan = accumulation_plan(k, tuning, GetParam());
    std::vector<std::uint16_t> expected;
    for (std::uint32_t column = 0; column < n; ++column)
      expected.push_back(summed(plan, model_of(GetParam()), x,
                                std::span(weights.decoded).subspan(std::size_t{column} * k, k)));
    EXPECT_EQ(product(weights, Scales::compact, x, 1, k, n, tuning), expected) << to_string(tuning);
  }
}

// 64 rows of x that are 1 at one k and 0 elsewhere give all the weights of 64 k.
TEST_P(TmGemm, EveryCodeTimesEveryScale) {
  // 16,384 columns of four groups: every finite FP16 scale of either sign, each with all 16 codes. Where the
  // product overflows, code 0 stands instead, for infinity would spoil the sums of the other rows.
  constexpr std::uint32_t n = 16384, k = 64;
  std::vector<std::uint32_t> codes(n * k / 8);
  std::vector<std::uint16_t> scales(n * k / 16), x(k * k), expected(k * n);
  for (std::uint32_t column = 0; column < n; ++column)
    for (std::uint32_t at = 0; at < k; ++at) {
      const std::uint32_t group = at / 16;
      const auto bits = static_cast<std::uint16_t>(column * 4 + group);
      const std::uint16_t scale = (bits & 0x7C00) == 0x7C00 ? 0 : bits;
      auto code = static_cast<std::uint8_t>((at + column) % 16);
      if (std::abs(e2m1(code) * to_float(scale)) >= 65520) code = 0;
      scales[group * n + column] = scale;
      codes[(column / 32 * 8 + at / 8) * 32 + column % 32] |= std::uint32_t{code}
                                                              << (4 * (at % 8 / 2 + at % 2 * 4));
      // A sum that is zero is +0.
      const std::uint16_t weight = half(e2m1(code) * to_float(scale));
      expected[at * n + column] = weight == 0x8000 ? 0 : weight;
    }
  for (std::uint32_t at = 0; at < k; ++at) x[at * k + at] = 0x3C00;
  EXPECT_EQ(plain_product(codes, scales, x, k, n, k), expected);
}

TEST_P(TmGemm, ProductsOverflowToInfinity) {
  constexpr std::uint32_t n = 32, k = 64;
  std::vector<std::uint32_t> codes(n * k / 8);
  std::vector<std::uint16_t> scales(n * k / 16, 0x7BFF);         // 65504
  codes[0] = 0x7, codes[1] = 0xF, codes[2] = 0x3, codes[3] = 0;  // 6, -6, 1.5 and 0
  const auto y = plain_product(codes, scales, std::vector<std::uint16_t>(k, 0x3C00), 1, n, k);
  EXPECT_EQ(std::vector(y.begin(), y.begin() + 4), (std::vector<std::uint16_t>{0x7C00, 0xFC00, 0x7C00, 0}));
}

INSTANTIATE_TEST_SUITE_P(Targets, TmGemm, testing::ValuesIn(all_targets), target_name);

}  // namespace
}  // namespace quadpair::wide
