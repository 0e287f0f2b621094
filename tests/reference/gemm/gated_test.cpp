// The gated epilogue against MPFR, over every FP16 gate.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "reference/gemm/gated.hpp"

namespace quadpair::reference {
namespace {

/// A number of 200 bits.
class Exact {
 public:
  explicit Exact(double value) {
    mpfr_init2(value_, 200);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

bool is_nan(Half h) {
  return (h & 0x7FFF) > 0x7C00;
}

TEST(GatedExp, IsAtMostOneUlpFromCorrectlyRounded) {
  int compared = 0, off = 0;
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    if (is_nan(static_cast<Half>(bits))) continue;
    const float t = -to_float(static_cast<Half>(bits));
    Exact exact(t);
    mpfr_exp(exact.get(), exact.get(), MPFR_RNDN);
    const float rounded = mpfr_get_flt(exact.get(), MPFR_RNDN);
    const float actual = gated_exp(t);
    if (!std::isnormal(rounded)) {
      ASSERT_EQ(std::isinf(actual), std::isinf(rounded)) << t;
      if (std::isfinite(actual)) {
        ASSERT_LT(std::fabs(actual), 0x1p-126F) << t;
      }
      continue;
    }
    const int ulps = std::abs(std::bit_cast<int>(actual) - std::bit_cast<int>(rounded));
    ASSERT_LE(ulps, 1) << t;
    ++compared;
    off += ulps;
  }
  EXPECT_GT(compared, 40000);
  EXPECT_GT(off, 0) << "an exp that is never off is not the kernels' one";
}

// exp is within 1.5 ulp, 1.5 . 2^-23 of itself and less of 1 + exp; the addition and the division each round
// by 2^-24; then comes half an FP16 ulp. 3 . 2^-23 leaves room for the second-order terms.
TEST(Silu, IsWithinItsErrorOfMpfr) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    if ((bits & 0x7C00) == 0x7C00) continue;
    const double x = to_float(static_cast<Half>(bits));
    Exact denominator(-x), exact(x);
    mpfr_exp(denominator.get(), denominator.get(), MPFR_RNDN);
    mpfr_add_ui(denominator.get(), denominator.get(), 1, MPFR_RNDN);
    mpfr_div(exact.get(), exact.get(), denominator.get(), MPFR_RNDN);
    const double expected = mpfr_get_d(exact.get(), MPFR_RNDN);
    const double relative = 3 * 0x1p-23 * std::fabs(expected);
    const double largest = std::fabs(expected) + relative;
    const int exponent = largest == 0 ? -14 : std::max(std::ilogb(largest), -14);
    const Half actual = silu(static_cast<Half>(bits));
    ASSERT_FALSE(is_nan(actual)) << x;
    ASSERT_LE(std::fabs(to_float(actual) - expected), relative + std::ldexp(1.0, exponent - 11)) << x;
    ASSERT_EQ(actual >> 15, bits >> 15) << "silu keeps the sign of " << x;
  }
}

TEST(Silu, AtTheEnds) {
  EXPECT_EQ(silu(0x0000), 0x0000);
  EXPECT_EQ(silu(0x8000), 0x8000);
  EXPECT_EQ(silu(0x7C00), 0x7C00);
  EXPECT_EQ(silu(0xFC00), 0x7FFF) << "-Inf / Inf";
  EXPECT_EQ(silu(0x7BFF), 0x7BFF) << "65504 / (1 + 0)";
  EXPECT_EQ(silu(0xFBFF), 0x8000) << "-65504 / Inf";
  for (const Half nan : {0x7C01, 0x7E00, 0xFC01, 0xFFFF}) EXPECT_EQ(silu(nan), 0x7FFF);
}

TEST(GatedEpilogue, MultipliesTheRoundedSilu) {
  // silu(1) = 0.7310586 rounds to 0x39D9 = 0.73095703125. Times 0x3C01 = 1.0009765625 that is 1498.46 .
  // 2^-11, so 0x39DA; a silu that was not rounded first would give 1498.67 . 2^-11, so 0x39DB.
  EXPECT_EQ(silu(0x3C00), 0x39D9);
  EXPECT_EQ(gated_epilogue(0x3C00, 0x3C01), 0x39DA);
  EXPECT_EQ(gated_epilogue(0x0000, 0xBC00), 0x8000);
  EXPECT_EQ(gated_epilogue(0x0000, 0x7C00), 0x7FFF) << "0 . Inf";
  EXPECT_EQ(gated_epilogue(0xFC00, 0x0000), 0x7FFF);
  EXPECT_EQ(gated_epilogue(0x7BFF, 0x7BFF), 0x7C00);
}

}  // namespace
}  // namespace quadpair::reference
