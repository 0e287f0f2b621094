#include "harness/compare/trust.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace quadpair::compare {
namespace {

using Bits = std::vector<std::uint16_t>;
using testing::HasSubstr;

constexpr std::uint16_t one = 0x3C00, two = 0x4000, tiny = 0x0001;  // 2^-24

TEST(Cover, CountsCodesAndScaleBytes) {
  const std::vector<std::uint8_t> pairs{0x10, 0x32, 0x10, 0xFF}, scales{0x38, 0x38, 0x01};
  const reports::Coverage coverage = cover(pairs, scales, 7);
  EXPECT_EQ(coverage.codes_seen, 5u);  // 0, 1, 2, 3, 15
  EXPECT_EQ(coverage.scale_bytes_seen, 2u);
  EXPECT_EQ(coverage.subnormal_weights, 7u);
}

TEST(Cover, CountsFp8CodesAndWhatTheyDecodeTo) {
  const std::vector<std::uint8_t> codes{0x00, 0x80, 0x01, 0x7E, 0x7E, 0x02};
  const Bits decoded{0x0000, 0x8000, 0x0000, 0x4000, 0x0400, 0x03FF};  // 2 codes vanish or are subnormal
  const reports::Coverage coverage = cover_fp8(codes, decoded);
  EXPECT_EQ(coverage.codes_seen, 5u);
  EXPECT_EQ(coverage.codes_there, 254u);
  EXPECT_EQ(coverage.subnormal_weights, 2u);
  EXPECT_THROW(cover_fp8(codes, Bits{0}), std::invalid_argument);
}

TEST(Cover, CountsSubnormalFp16Weights) {
  const reports::Coverage coverage = cover_fp16(Bits{0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, one});
  EXPECT_EQ(coverage.subnormal_weights, 2u);
  EXPECT_EQ(coverage.codes_there, 0u);
}

TEST(ExactInAnyOrder, SmallIntegersAre) {
  EXPECT_TRUE(exact_in_any_order(Bits{one, two, 0x4200}, Bits{two, one, 0xC500}));  // 1.2 + 2.1 + 3.-5
}

TEST(ExactInAnyOrder, ZerosTakeNoPart) {
  EXPECT_TRUE(exact_in_any_order(Bits{0, 0x8000, one}, Bits{tiny, one, one}));
  EXPECT_TRUE(exact_in_any_order(Bits{0, 0}, Bits{one, one}));
}

TEST(ExactInAnyOrder, EndsAtTwentyThreeBits) {
  // 2^-11 . 2^-12 = 2^-23 is the quantum: 1 is 2^23 of them, 1 - 2^-10 fewer.
  EXPECT_FALSE(exact_in_any_order(Bits{one, 0x1000}, Bits{one, 0x0C00}));
  EXPECT_TRUE(exact_in_any_order(Bits{0x3BFE, 0x1000}, Bits{one, 0x0C00}));
}

TEST(ExactInAnyOrder, CancellationDoesNotHelp) {
  EXPECT_FALSE(exact_in_any_order(Bits{one, one, tiny}, Bits{one, 0xBC00, one}));
}

TEST(ExactInAnyOrder, CountsTheLowestBitNotTheExponent) {
  // 1 + 2^-10 has its lowest bit at 2^-10; times 1 + 2^-10, at 2^-20. Eight of them reach 2^23 quanta.
  const Bits eight(8, 0x3C01), seven(7, 0x3C01);
  EXPECT_FALSE(exact_in_any_order(eight, eight));
  EXPECT_TRUE(exact_in_any_order(seven, seven));
}

TEST(ExactInAnyOrder, NothingOrdersInfinities) {
  EXPECT_TRUE(exact_in_any_order(Bits{one, tiny, 0x7C00}, Bits{one, one, one}));
  EXPECT_TRUE(exact_in_any_order(Bits{one, tiny}, Bits{one, 0x7FFF}));
}

Evidence good_evidence(const Bits& eager, const Bits& replay) {
  Evidence evidence;
  evidence.coverage = {16, 40, 0};
  evidence.expected = {eager, replay};
  return evidence;
}

TEST(Mistrust, NotWhereAFaultWouldShow) {
  const Bits a{one, two}, b{two, two - 1};
  EXPECT_EQ(why_mistrusted(good_evidence(a, b)), std::nullopt);
}

TEST(Mistrust, ConstantExpectedOutput) {
  const Bits constant{one, one, one}, other{one, two, one};
  EXPECT_THAT(why_mistrusted(good_evidence(constant, other)).value_or(""), HasSubstr("0x3c00"));
  EXPECT_THAT(why_mistrusted(good_evidence(other, constant)).value_or(""), HasSubstr("round 1"));
}

TEST(Mistrust, ChangedInputsWithoutEffect) {
  const Bits a{one, two};
  EXPECT_THAT(why_mistrusted(good_evidence(a, a)).value_or(""), HasSubstr("changed inputs"));
}

TEST(Mistrust, OfFP32OutputsToo) {
  const Bits a{one, two}, b{two, one};
  const std::vector<std::uint32_t> changing{1, 2}, changed{3, 2}, constant{0x3F800000, 0x3F800000};
  Evidence evidence = good_evidence(a, b);
  evidence.expected_fp32 = {changing, changed};
  EXPECT_EQ(why_mistrusted(evidence), std::nullopt);
  evidence.expected_fp32 = {changing, constant};
  EXPECT_THAT(why_mistrusted(evidence).value_or(""), HasSubstr("round 1 is 0x3f800000"));
  evidence.expected_fp32 = {changing, changing};
  EXPECT_THAT(why_mistrusted(evidence).value_or(""), HasSubstr("changed inputs"));
}

TEST(Mistrust, CodesNeverSeen) {
  const Bits a{one, two}, b{two, one};
  Evidence evidence = good_evidence(a, b);
  evidence.coverage.codes_seen = 15;
  EXPECT_THAT(why_mistrusted(evidence).value_or(""), HasSubstr("15 of 16"));
  evidence.promises_all_codes = false;
  EXPECT_EQ(why_mistrusted(evidence), std::nullopt);
}

TEST(Mistrust, SumsThatNoOrderChanges) {
  const Bits a{one, two}, b{two, one};
  Evidence evidence = good_evidence(a, b);
  evidence.sums_exact = true;
  EXPECT_THAT(why_mistrusted(evidence).value_or(""), HasSubstr("order"));
  evidence.judges_order = false;
  EXPECT_EQ(why_mistrusted(evidence), std::nullopt);
}

}  // namespace
}  // namespace quadpair::compare
