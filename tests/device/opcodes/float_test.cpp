// FP32, FP16 and FP16x2 arithmetic against MPFR: nearest-even, subnormals kept, canonical NaN.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/device/opcodes/float_reference.hpp"
#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

using Compute = std::function<int(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>;

std::uint64_t expected_of(const FloatFormat& format, const Values& v, const Compute& compute) {
  const Number a(format, v[0]), b(format, v[1]), c(format, v[2]);
  return rounded(format, MPFR_RNDN,
                 [&](mpfr_ptr d, mpfr_rnd_t rounding) { return compute(d, a, b, c, rounding); });
}

/// Edges against each other, then random bits, then random values of like size, whose sums cancel and round.
std::vector<Values> float_cases(const FloatFormat& format, unsigned sources) {
  const std::vector<std::uint64_t> edges = float_edges(format), none = {0};
  std::vector<Values> cases;
  for (std::uint64_t a : edges)
    for (std::uint64_t b : sources > 1 ? edges : none)
      for (std::uint64_t c : sources > 2 ? edges : none) cases.push_back({a, b, c, 0});
  std::mt19937_64 random(format.width + sources);
  for (int i = 0; i < 6000; ++i) {
    const auto any = [&] { return low_bits(random(), format.width); };
    Values v = {any(), any(), any(), 0};
    if (i % 3 == 1) v[1] = (v[0] + random() % 4096) ^ (random() % 2 * format.sign());
    if (i % 3 == 2) v[2] = exact_bits(format, 0) | format.sign();
    // A third operand beside the product: what a fused operation must round just once.
    if (i % 3 != 2) {
      const Number a(format, v[0]), b(format, v[1]);
      v[2] = rounded(format, MPFR_RNDN, [&](mpfr_ptr d, mpfr_rnd_t r) { return mpfr_mul(d, a, b, r); });
      v[2] = low_bits((v[2] + random() % 3 - 1) ^ format.sign(), format.width);
    }
    for (std::uint64_t& one : v) one = low_bits(one, format.width);
    cases.push_back(v);
  }
  return cases;
}

void expect_float(const FloatFormat& format, const std::string& mnemonic, unsigned sources,
                  const Compute& compute) {
  constexpr const char* operands[] = {"", " %d, %a;", " %d, %a, %b;", " %d, %a, %b, %c;"};
  expect_results(mnemonic + operands[sources], std::string(sources + 1, format.width == 16 ? 'h' : 'r'),
                 float_cases(format, sources),
                 [&](const Values& v) { return expected_of(format, v, compute); });
}

/// The same operation on both halves of 32-bit registers, of cases that differ.
void expect_pair(const std::string& mnemonic, unsigned sources, const Compute& compute) {
  constexpr const char* operands[] = {"", " %d, %a;", " %d, %a, %b;", " %d, %a, %b, %c;"};
  const std::vector<Values> halves = float_cases(half_format, sources);
  std::vector<Values> cases;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const Values &low = halves[i], &high = halves[(i * 7 + 3) % halves.size()];
    cases.push_back({low[0] | high[0] << 16, low[1] | high[1] << 16, low[2] | high[2] << 16, 0});
  }
  expect_results(mnemonic + operands[sources], std::string(sources + 1, 'r'), cases, [&](const Values& v) {
    const Values low = {v[0] & 0xFFFF, v[1] & 0xFFFF, v[2] & 0xFFFF, 0},
                 high = {v[0] >> 16, v[1] >> 16, v[2] >> 16, 0};
    return expected_of(half_format, low, compute) | expected_of(half_format, high, compute) << 16;
  });
}

const Compute add = [](mpfr_ptr d, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t r) {
  return mpfr_add(d, a, b, r);
};
const Compute sub = [](mpfr_ptr d, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t r) {
  return mpfr_sub(d, a, b, r);
};
const Compute mul = [](mpfr_ptr d, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t r) {
  return mpfr_mul(d, a, b, r);
};
const Compute quotient = [](mpfr_ptr d, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t r) {
  return mpfr_div(d, a, b, r);
};
const Compute fma_ = [](mpfr_ptr d, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_rnd_t r) {
  return mpfr_fma(d, a, b, c, r);
};
const Compute root = [](mpfr_ptr d, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t r) {
  return mpfr_sqrt(d, a, r);
};
const Compute reciprocal = [](mpfr_ptr d, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t r) {
  return mpfr_ui_div(d, 1, a, r);
};

TEST(Single, Add) {
  for (const char* name : {"add.f32", "add.rn.f32"}) expect_float(single_format, name, 2, add);
}
TEST(Single, Sub) {
  for (const char* name : {"sub.f32", "sub.rn.f32"}) expect_float(single_format, name, 2, sub);
}
TEST(Single, Mul) {
  for (const char* name : {"mul.f32", "mul.rn.f32"}) expect_float(single_format, name, 2, mul);
}
TEST(Single, Div) {
  expect_float(single_format, "div.rn.f32", 2, quotient);
}
TEST(Single, Sqrt) {
  expect_float(single_format, "sqrt.rn.f32", 1, root);
}
TEST(Single, Rcp) {
  expect_float(single_format, "rcp.rn.f32", 1, reciprocal);
}
TEST(Single, Fma) {
  for (const char* name : {"fma.rn.f32", "mad.rn.f32"}) expect_float(single_format, name, 3, fma_);
}

TEST(Half, Add) {
  for (const char* name : {"add.f16", "add.rn.f16"}) expect_float(half_format, name, 2, add);
}
TEST(Half, Sub) {
  for (const char* name : {"sub.f16", "sub.rn.f16"}) expect_float(half_format, name, 2, sub);
}
TEST(Half, Mul) {
  for (const char* name : {"mul.f16", "mul.rn.f16"}) expect_float(half_format, name, 2, mul);
}
TEST(Half, Fma) {
  expect_float(half_format, "fma.rn.f16", 3, fma_);
}

TEST(HalfPair, Add) {
  for (const char* name : {"add.f16x2", "add.rn.f16x2"}) expect_pair(name, 2, add);
}
TEST(HalfPair, Sub) {
  for (const char* name : {"sub.f16x2", "sub.rn.f16x2"}) expect_pair(name, 2, sub);
}
TEST(HalfPair, Mul) {
  for (const char* name : {"mul.f16x2", "mul.rn.f16x2"}) expect_pair(name, 2, mul);
}
TEST(HalfPair, Fma) {
  expect_pair("fma.rn.f16x2", 3, fma_);
}

TEST(Single, ConstantsAreBitPatterns) {
  std::vector<Values> cases = float_cases(single_format, 1);
  for (Values& one : cases) one[1] = 0x46800000;
  const auto expected = [&](const Values& v) { return expected_of(single_format, v, mul); };
  expect_results("mul.f32 %d, %a, 0f46800000;", "rr", cases, expected);
}

/// PTX: the number where one operand is NaN (any NaN with .NaN), -0 below +0.
std::uint64_t extreme(const FloatFormat& format, std::uint64_t a, std::uint64_t b, bool greater,
                      bool nan_wins) {
  const bool a_nan = format.is_nan(a), b_nan = format.is_nan(b);
  if ((a_nan && b_nan) || (nan_wins && (a_nan || b_nan))) return format.nan();
  if (a_nan || b_nan) return a_nan ? b : a;
  const auto key = [&](std::uint64_t bits) {
    const auto magnitude = static_cast<std::int64_t>(bits & (format.sign() - 1));
    return bits & format.sign() ? -magnitude - 1 : magnitude;
  };
  return (key(a) < key(b)) != greater ? a : b;
}

TEST(MinMax, SingleHalfAndPair) {
  for (const bool greater : {false, true})
    for (const bool nan_wins : {false, true}) {
      const std::string name = fmt::format("{}{}", greater ? "max" : "min", nan_wins ? ".NaN" : "");
      for (const FloatFormat& format : {single_format, half_format})
        expect_results(fmt::format("{}.f{} %d, %a, %b;", name, format.width),
                       format.width == 16 ? "hhh" : "rrr", float_cases(format, 2),
                       [&](const Values& v) { return extreme(format, v[0], v[1], greater, nan_wins); });
      std::vector<Values> cases = float_cases(half_format, 2);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        cases[i][0] |= cases[i / 2][0] << 16;
        cases[i][1] |= cases[i / 3][1] << 16;
        for (std::uint64_t& one : cases[i]) one = low_bits(one, 32);
      }
      expect_results(name + ".f16x2 %d, %a, %b;", "rrr", cases, [&](const Values& v) {
        return extreme(half_format, v[0] & 0xFFFF, v[1] & 0xFFFF, greater, nan_wins) |
               extreme(half_format, v[0] >> 16, v[1] >> 16, greater, nan_wins) << 16;
      });
    }
}

// PTX leaves the sign and payload of a NaN open here, so there is none among the sources.
TEST(NegAbs, TouchTheSignAlone) {
  for (const FloatFormat& format : {single_format, half_format}) {
    std::vector<Values> cases = float_cases(format, 1);
    std::erase_if(cases, [&](const Values& v) { return format.is_nan(v[0]); });
    const std::string classes(2, format.width == 16 ? 'h' : 'r');
    expect_results(fmt::format("neg.f{} %d, %a;", format.width), classes, cases,
                   [&](const Values& v) { return v[0] ^ format.sign(); });
    expect_results(fmt::format("abs.f{} %d, %a;", format.width), classes, cases,
                   [&](const Values& v) { return v[0] & ~format.sign(); });
  }
  const std::vector<Values> pair = {{0x80003C00}, {0x3C008000}, {0x7C00FC00}, {0x00018001}};
  expect_results("neg.f16x2 %d, %a;", "rr", pair, [](const Values& v) { return v[0] ^ 0x80008000; });
  expect_results("abs.f16x2 %d, %a;", "rr", pair, [](const Values& v) { return v[0] & 0x7FFF7FFF; });
}

}  // namespace
}  // namespace quadpair::device
