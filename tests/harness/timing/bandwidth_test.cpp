#include "harness/timing/bandwidth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace quadpair::timing {
namespace {

struct PerModel {
  std::uint64_t k, n, padded_n, calls;
};
constexpr PerModel kProjections[]{{5120, 4120, 4128, 48}, {1536, 5120, 5120, 48}, {5120, 3584, 3584, 16},
                                  {1536, 5120, 5120, 16}, {5120, 8704, 8704, 64}, {4352, 5120, 5120, 64}};

// The published storage of the 256 projections of the 27B model at TP 4, to the byte.
TEST(OperatorBytes, AddUpToThePublishedLedger) {
  std::uint64_t codes = 0, qpn2_scales = 0, turbomind_scales = 0, calls = 0;
  for (const PerModel& p : kProjections) {
    const GemmShape shape{.m = 8, .n = p.n, .k = p.k, .padded_n = p.padded_n};
    codes += p.calls * operator_bytes(shape, WeightFormat::qpn2).codes;
    qpn2_scales += p.calls * operator_bytes(shape, WeightFormat::qpn2).scales;
    turbomind_scales += p.calls * operator_bytes(shape, WeightFormat::turbomind_scales).scales;
    calls += p.calls;
  }
  EXPECT_EQ(calls, 256u);
  EXPECT_EQ(codes, 3'044'802'560u);
  EXPECT_EQ(qpn2_scales, 380'600'320u);
  EXPECT_EQ(turbomind_scales, 761'200'640u);
}

TEST(OperatorBytes, HandComputed) {
  // K 128, 80 + 80 gated columns padded to 96 + 96, 3 rows.
  const GemmShape gated{.m = 3, .n = 160, .k = 128, .padded_n = 192, .gated = true, .global_scales = true};
  const OperatorBytes bytes = operator_bytes(gated, WeightFormat::qpn2);
  EXPECT_EQ(bytes.codes, 12'288u);
  EXPECT_EQ(bytes.scales, 1'536u);
  EXPECT_EQ(bytes.global_scales, 12u);
  EXPECT_EQ(bytes.activations, 768u);
  EXPECT_EQ(bytes.outputs, 480u);
  EXPECT_EQ(bytes.weights(), 13'836u);
  EXPECT_EQ(bytes.total(), 15'084u);

  const GemmShape plain{.m = 1, .n = 64, .k = 256, .padded_n = 64};
  EXPECT_EQ(operator_bytes(plain, WeightFormat::qpn2).global_scales, 0u);
  EXPECT_EQ(operator_bytes(plain, WeightFormat::qpn2).outputs, 128u);
  EXPECT_EQ(operator_bytes(plain, WeightFormat::qpn8_channel).codes, 16'384u);
  EXPECT_EQ(operator_bytes(plain, WeightFormat::qpn8_channel).scales, 128u);
  EXPECT_EQ(operator_bytes(plain, WeightFormat::qpn8_block).scales, 8u);
}

TEST(BandwidthFraction, AboveTheCeilingIsAFault) {
  const BandwidthFraction half = bandwidth_fraction(1000, 1e-6, 2e9);
  EXPECT_DOUBLE_EQ(half.value, 0.5);
  EXPECT_FALSE(half.fault);
  EXPECT_FALSE(bandwidth_fraction(1000, 1, 1000).fault);  // the ceiling itself can be reached
  const BandwidthFraction beyond = bandwidth_fraction(1000, 1e-6, 8e8);
  EXPECT_DOUBLE_EQ(beyond.value, 1.25);
  ASSERT_TRUE(beyond.fault);
  EXPECT_THAT(*beyond.fault, testing::HasSubstr("125.0 %"));
}

TEST(BandwidthFraction, RefusesWhatIsNoTimeOrCeiling) {
  for (double bad : {0.0, -1.0, std::nan("")}) {
    EXPECT_THROW(bandwidth_fraction(1, bad, 1), std::invalid_argument);
    EXPECT_THROW(bandwidth_fraction(1, 1, bad), std::invalid_argument);
  }
}

}  // namespace
}  // namespace quadpair::timing
