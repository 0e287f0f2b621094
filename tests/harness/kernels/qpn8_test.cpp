// The kernels of the QPN8 family on the emulator against the reference, bit for bit.
#include <gtest/gtest.h>

#include "kernels/qpn8/gemm.hpp"
#include "kernels/qpn8/pack.hpp"
#include "kernels/qpn8/quantize.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/qpn8/weights.hpp"
#include "tests/harness/kernels/emulated.hpp"
#include "tests/harness/kernels/random_halves.hpp"

namespace quadpair::device {
namespace {

using qpn8::ScaleKind;

class Qpn8 : public Emulated {};
INSTANTIATE_TEST_SUITE_P(Machines, Qpn8, testing::ValuesIn(one_a_target), name_of);

class Qpn8Product : public Emulated {};
INSTANTIATE_TEST_SUITE_P(Machines, Qpn8Product, testing::ValuesIn(all_machines), name_of);

TEST_P(Qpn8, QuantisesEveryFiniteNumberUnderSeveralScales) {
  // Row r holds FP16 numbers from r's own range of magnitudes down to zero, each with both signs; the last
  // row is all zeros, half of them negative.
  constexpr std::uint32_t k = 2 * 0x7C00, rows = 6;
  const std::uint16_t tops[rows] = {0x7BFF, 0x5F00, 0x3C01, 0x0400, 0x0001, 0x0000};
  std::vector<std::uint16_t> w;
  for (const std::uint16_t top : tops)
    for (std::uint32_t i = 0; i < k; ++i) {
      const std::uint32_t magnitude = std::min<std::uint32_t>(i / 2, top);
      w.push_back(static_cast<std::uint16_t>(magnitude | (i % 2 == 0 ? 0 : 0x8000)));
    }
  Buffer& codes = out<std::uint8_t>(w.size());
  Buffer& scales = out<float>(rows);
  run(qpn8::quantize({rows, k, in(w), codes.address(), scales.address()}, target()));
  const reference::Fp8Matrix expected = reference::quantize_fp8(w, rows, k);
  EXPECT_EQ(content<float>(scales), expected.scales);
  EXPECT_EQ(content<std::uint8_t>(codes), expected.codes);
}

/// A random FP8 matrix without NaN codes.
reference::Fp8Matrix random_matrix(std::uint32_t n, std::uint32_t k, std::size_t scales) {
  std::mt19937 generator(n + k);
  reference::Fp8Matrix matrix;
  for (std::size_t i = 0; i < std::size_t{n} * k; ++i) {
    const auto code = static_cast<std::uint8_t>(generator());
    matrix.codes.push_back((code & 0x7F) == 0x7F ? 0x7E : code);
  }
  std::uniform_real_distribution<float> exponent(-18, -8);
  for (std::size_t i = 0; i < scales; ++i) matrix.scales.push_back(std::exp2(exponent(generator)));
  return matrix;
}

reference::Fp8View view_of(const reference::Fp8Matrix& matrix, std::uint32_t n, std::uint32_t k,
                           ScaleKind kind) {
  using enum reference::Fp8Scales;
  return {n, k, kind == ScaleKind::channel ? channel : block, matrix.codes, matrix.scales};
}

struct Shape {
  ScaleKind kind;
  std::uint32_t n, k;
};

TEST_P(Qpn8, PacksCodesAndScales) {
  for (const auto& [kind, n, k] : {Shape{ScaleKind::channel, 45, 192}, Shape{ScaleKind::block, 256, 384}}) {
    const auto matrix = random_matrix(n, k, kind == ScaleKind::channel ? n : n / 128 * (k / 128));
    const reference::Fp8View view = view_of(matrix, n, k, kind);
    const std::uint32_t padded = qpn2::pad_to_tile(n);
    Buffer& codes = out<std::uint8_t>(qpn8::code_bytes(padded, k));
    Buffer& scales = out<std::uint8_t>(qpn8::scale_bytes(kind, padded, k));
    run(qpn8::pack({n, k, kind, in(matrix.codes), in(matrix.scales), codes.address(), scales.address()},
                   target()));
    EXPECT_EQ(content<std::uint8_t>(codes), reference::pack_qpn8_codes(view));
    EXPECT_EQ(content<std::uint16_t>(scales), reference::pack_qpn8_scales(view));
  }
}

TEST_P(Qpn8Product, EveryTuningAndKindOfScale) {
  for (const auto& [kind, n, k] : {Shape{ScaleKind::channel, 45, 1024}, Shape{ScaleKind::block, 128, 1024}}) {
    const auto matrix = random_matrix(n, k, kind == ScaleKind::channel ? n : k / 128);
    const reference::Fp8View view = view_of(matrix, n, k, kind);
    const reference::GemmMatrix weights(reference::decode_qpn8(view), n, k);
    const DevicePtr codes = in(reference::pack_qpn8_codes(view));
    const DevicePtr scales = in(reference::pack_qpn8_scales(view));
    for (const qpn8::Tuning tuning : {qpn8::Tuning{8, 1}, {8, 2}, {16, 1}, {16, 2}, {32, 1}, {32, 2}})
      for (const std::uint32_t m : {1U, 8U, 9U, 16U, 17U}) {
        const std::uint32_t ldx = k + 8, ldy = n + 3;
        const auto x = random_halves(std::size_t{m} * ldx, 1, m);
        Buffer& y = out<std::uint16_t>(std::size_t{m} * ldy);
        run(qpn8::gemm({m, n, k, codes, kind, scales, in(x), ldx, y.address(), ldy}, tuning, target()));
        const auto expected =
            weights.gemm(x.data(), m, ldx, qpn8::accumulation_plan(k, tuning, target()), model());
        const auto actual = content<std::uint16_t>(y);
        for (std::uint32_t row = 0; row < m; ++row)
          for (std::uint32_t column = 0; column < ldy; ++column)
            ASSERT_EQ(actual[row * ldy + column], column < n ? expected[row * n + column] : 0xA5A5)
                << to_string(tuning) << " m " << m << " row " << row << " column " << column;
      }
  }
}

TEST_P(Qpn8Product, NativeSlicesMayBeUneven) {
  constexpr std::uint32_t n = 33, k = 576, m = 3;
  const qpn8::Tuning tuning{8, 2};
  const auto matrix = random_matrix(n, k, n);
  const reference::Fp8View view = view_of(matrix, n, k, ScaleKind::channel);
  const DevicePtr codes = in(reference::pack_qpn8_codes(view)),
                  scales = in(reference::pack_qpn8_scales(view));
  const auto x = random_halves(std::size_t{m} * k, 1, 5);
  Buffer& y = out<std::uint16_t>(std::size_t{m} * n);
  const qpn8::GemmArguments a{m, n, k, codes, ScaleKind::channel, scales, in(x), k, y.address(), n};
  if (target() == Target::sm70) {
    EXPECT_THROW(qpn8::gemm(a, tuning, target()), std::invalid_argument);
    return;
  }
  run(qpn8::gemm(a, tuning, target()));
  const reference::GemmMatrix weights(reference::decode_qpn8(view), n, k);
  EXPECT_EQ(content<std::uint16_t>(y),
            weights.gemm(x.data(), m, k, qpn8::accumulation_plan(k, tuning, target()), model()));
}

}  // namespace
}  // namespace quadpair::device
