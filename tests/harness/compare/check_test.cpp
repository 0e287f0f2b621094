#include "harness/compare/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "harness/compare/hash.hpp"

namespace quadpair::compare {
namespace {

using reports::Check;
using reports::Kind;

using Bits = std::vector<std::uint16_t>;
using Bytes = std::vector<std::uint8_t>;

TEST(Bitwise, EqualBitsPassAndHaveOneHash) {
  const Bits bits{0x0000, 0x3C00, 0x7C00, 0x0001};
  const Check check = bitwise("eager", bits, bits);
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.kind, Kind::bitwise);
  EXPECT_EQ(check.elements, 4u);
  EXPECT_FALSE(check.first);
  EXPECT_EQ(check.expected_hash, check.actual_hash);
}

TEST(Bitwise, NamesTheFirstMismatchByBitsAndValue) {
  const Check check = bitwise("eager", Bits{0x0000, 0x3C00, 0xC000}, Bits{0x0000, 0x3C01, 0x4000});
  EXPECT_EQ(check.mismatches, 2u);
  EXPECT_EQ(check.first->index, 1u);
  EXPECT_EQ(check.first->expected, "0x3c00");
  EXPECT_EQ(check.first->actual, "0x3c01");
  EXPECT_EQ(check.first->expected_value, 1.0);
  EXPECT_EQ(check.first->actual_value, 1.0 + 0x1p-10);
}

TEST(Bitwise, SignedZerosDiffer) {
  const Check check = bitwise("eager", Bits{0x0000}, Bits{0x8000});
  EXPECT_EQ(check.mismatches, 1u);
}

TEST(Bitwise, Bytes) {
  const Check check = bitwise("codes", Bytes{0x21, 0xFF}, Bytes{0x12, 0xFF});
  EXPECT_EQ(check.mismatches, 1u);
  EXPECT_EQ(check.first->expected, "0x21");
  EXPECT_EQ(check.first->actual, "0x12");
}

TEST(Bitwise, OtherSizesAreTheCallersMistake) {
  EXPECT_THROW(bitwise("y", Bits{1, 2}, Bits{1}), std::invalid_argument);
  EXPECT_THROW(bitwise("y", Bytes{}, Bytes{1}), std::invalid_argument);
  EXPECT_THROW(within_bound("y", std::vector{1.0}, std::vector{1.0, 2.0}, Bits{1}), std::invalid_argument);
}

RC_GTEST_PROP(Bitwise, NoticesAnySingleBit, ()) {
  const Bits expected = *rc::gen::nonEmpty<Bits>();
  const auto index = *rc::gen::inRange<std::size_t>(0, expected.size());
  Bits actual = expected;
  actual[index] ^= static_cast<std::uint16_t>(1u << *rc::gen::inRange(0, 16));
  const Check check = bitwise("y", expected, actual);
  RC_ASSERT(check.mismatches == 1u);
  RC_ASSERT(check.first->index == index);
  RC_ASSERT(check.expected_hash != check.actual_hash);
}

TEST(WithinBound, AllowsTheBoundAndNoMore) {
  const std::vector<double> bounds{0x1p-10, 0x1p-10};
  EXPECT_TRUE(within_bound("y", std::vector{1.0, 1.0 + 0x1p-9}, bounds, Bits{0x3C01, 0x3C01}).passed());
  const Check check =
      within_bound("y", std::vector{1.0, 1.0 + 0x1p-9 + 0x1p-30}, bounds, Bits{0x3C01, 0x3C01});
  EXPECT_EQ(check.mismatches, 1u);
  EXPECT_EQ(check.first->index, 1u);
  EXPECT_EQ(check.first->actual, "0x3c01");
  EXPECT_EQ(check.first->bound, 0x1p-10);
}

TEST(WithinBound, LeavesOutWhatHasNoBound) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Check check =
      within_bound("y", std::vector{1.0, 1e9}, std::vector{0.0, infinity}, Bits{0x3C00, 0x7C00});
  EXPECT_TRUE(check.passed());
  EXPECT_EQ(check.elements, 1u);
}

TEST(WithinBound, OfFP32Patterns) {
  const std::vector<double> values{1.0, -2.0, 3.0}, bounds{0x1p-23, 0x1p-23, 0x1p-23};
  using Words = std::vector<std::uint32_t>;
  EXPECT_TRUE(within_bound("y", values, bounds, Words{0x3F800001, 0xC0000000, 0x40400000}).passed());
  const Check check = within_bound("y", values, bounds, Words{0x3F800000, 0xC0000001, 0x7FFFFFFF});
  EXPECT_EQ(check.mismatches, 2u);
  EXPECT_EQ(check.first->index, 1u);
  EXPECT_EQ(check.first->actual, "0xc0000001");
}

TEST(Hash, IsXxh3) {
  // XXH3-128 of nothing, from the algorithm's published test vectors.
  EXPECT_EQ(hash({}), "99aa06d3014798d86001c324468d497f");
}

}  // namespace
}  // namespace quadpair::compare
