// Damaged outputs: each kind of damage must fail, in the bitwise and in the bound check.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "harness/compare/check.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::compare {
namespace {

using reports::Check;

using Bits = std::vector<std::uint16_t>;

constexpr std::size_t rows = 5, columns = 37;

/// FP16 numbers 1 + i/128 and their negatives in turn: all different, none zero.
Bits original() {
  Bits bits;
  for (std::uint16_t i = 0; i < rows * columns; ++i)
    bits.push_back(static_cast<std::uint16_t>((i % 2 == 0 ? 0x3C00 : 0xBC00) + 8 * i));
  return bits;
}

struct Mutant {
  std::string name;
  std::function<void(Bits&)> damage;
  std::uint64_t first;  ///< index of the first element that differs
};

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, FailBothChecks) {
  const Bits expected = original();
  Bits actual = expected;
  GetParam().damage(actual);
  ASSERT_NE(actual, expected);

  const Check bits = bitwise("y", expected, actual);
  EXPECT_FALSE(bits.passed());
  ASSERT_TRUE(bits.first);
  EXPECT_EQ(bits.first->index, GetParam().first);
  EXPECT_NE(bits.expected_hash, bits.actual_hash);

  std::vector<double> values, bounds;
  for (const std::uint16_t h : expected) {
    values.push_back(reference::to_float(h));
    bounds.push_back(0x1p-11);  // half a step of FP16 at 1, less than any damage here
  }
  const Check bound = within_bound("y", values, bounds, actual);
  EXPECT_FALSE(bound.passed());
  ASSERT_TRUE(bound.first);
  EXPECT_EQ(bound.first->index, GetParam().first);
}

INSTANTIATE_TEST_SUITE_P(
    Spec, Mutants,
    testing::Values(Mutant{"Zeros", [](Bits& y) { std::ranges::fill(y, 0); }, 0},
                    Mutant{"NegativeZeros", [](Bits& y) { std::ranges::fill(y, 0x8000); }, 0},
                    Mutant{"SignFlip",
                           [](Bits& y) {
                             for (auto& h : y) h ^= 0x8000;
                           },
                           0},
                    Mutant{"FivePercentMore",
                           [](Bits& y) {
                             for (auto& h : y) h = reference::to_half(reference::to_float(h) * 1.05f);
                           },
                           0},
                    Mutant{"OneElement", [](Bits& y) { y.back() ^= 1; }, rows* columns - 1},
                    Mutant{"SwappedRows",
                           [](Bits& y) {
                             std::swap_ranges(y.begin() + columns, y.begin() + 2 * columns,
                                              y.begin() + 2 * columns);
                           },
                           columns},
                    Mutant{"SwappedColumns",
                           [](Bits& y) {
                             for (std::size_t r = 0; r < rows; ++r)
                               std::swap(y[r * columns], y[r * columns + 1]);
                           },
                           0},
                    Mutant{"NanInActual", [](Bits& y) { y[7] = 0x7FFF; }, 7},
                    Mutant{"InfinityInActual", [](Bits& y) { y[7] = 0x7C00; }, 7},
                    Mutant{"UnwrittenRow", [](Bits& y) { std::fill(y.end() - columns, y.end(), 0xA5A5); },
                           (rows - 1) * columns}),
    [](const auto& param) { return param.param.name; });

TEST(NanMutants, NanInExpectedFails) {
  Bits expected = original();
  const Bits actual = expected;
  expected[3] = 0x7FFF;
  EXPECT_EQ(bitwise("y", expected, actual).mismatches, 1u);

  const std::vector<double> values{1.0, std::numeric_limits<double>::quiet_NaN()}, bounds{0.5, 0.5};
  const Check check = within_bound("y", values, bounds, Bits{0x3C00, 0x3C00});
  EXPECT_EQ(check.mismatches, 1u);
  EXPECT_EQ(check.first->index, 1u);
}

TEST(NanMutants, NanInBothIsNoAgreementWithinABound) {
  const std::vector<double> values{std::numeric_limits<double>::quiet_NaN()}, bounds{1.0};
  EXPECT_EQ(within_bound("y", values, bounds, Bits{0x7FFF}).mismatches, 1u);
}

TEST(NanMutants, NanBoundFails) {
  const std::vector<double> values{1.0}, bounds{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(within_bound("y", values, bounds, Bits{0x3C00}).mismatches, 1u);
}

TEST(NanMutants, PayloadsAndSignsCount) {
  EXPECT_TRUE(bitwise("y", Bits{0x7FFF}, Bits{0x7FFF}).passed());
  EXPECT_FALSE(bitwise("y", Bits{0x7FFF}, Bits{0x7E00}).passed());
  EXPECT_FALSE(bitwise("y", Bits{0x7FFF}, Bits{0xFFFF}).passed());
}

}  // namespace
}  // namespace quadpair::compare
