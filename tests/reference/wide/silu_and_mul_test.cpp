#include "reference/wide/silu_and_mul.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace quadpair::reference {
namespace {

// silu(1) = 0x39D9, times 0x3C01 0x39DA; silu(0) = 0; silu(-Inf) is NaN
// (tests/reference/gemm/gated_test.cpp).
TEST(SiluAndMul, TakesGateAndUpFromTheirColumns) {
  constexpr Half unused = 0x7E00;
  const std::vector<Half> x = {0x3C00, 0x0000, unused, 0x3C01, 0xBC00, unused,   //
                               0xFC00, 0x7BFF, unused, 0x3C00, 0x7BFF, unused};  //
  const std::vector<Half> expected = {0x39DA, 0x8000, 0x7FFF, 0x7C00};
  EXPECT_EQ(silu_and_mul(x.data(), 2, 2, 3, 6), expected);
}

TEST(SiluAndMul, RefusesRowsThatAreTooShort) {
  const std::vector<Half> x(12);
  EXPECT_NO_THROW(silu_and_mul(x.data(), 2, 2, 4, 6));
  EXPECT_THROW(silu_and_mul(x.data(), 2, 2, 5, 6), std::invalid_argument);
  EXPECT_TRUE(silu_and_mul(nullptr, 0, 2, 4, 6).empty());
}

}  // namespace
}  // namespace quadpair::reference
