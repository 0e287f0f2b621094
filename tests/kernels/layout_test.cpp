// The layout functions against the table of the operator contract, written out by hand.
#include "kernels/qpn2/layout.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace quadpair::qpn2 {
namespace {

TEST(Layout, ColumnOfLane) {
  // Lane bits 2..3 choose the block of 8 columns, bits 0, 1 and 4 the column inside it.
  constexpr std::array<std::uint32_t, 32> expected = {0,  1,  2,  3,  8,  9,  10, 11, 16, 17, 18,
                                                      19, 24, 25, 26, 27, 4,  5,  6,  7,  12, 13,
                                                      14, 15, 20, 21, 22, 23, 28, 29, 30, 31};
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(column_of_lane(lane), expected[lane]) << lane;
}

TEST(Layout, LaneAndColumnAreInverse) {
  std::set<std::uint32_t> columns;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    columns.insert(column_of_lane(lane));
    EXPECT_EQ(lane_of_column(column_of_lane(lane)), lane);
    EXPECT_EQ(column_of_lane(lane_of_column(lane)), lane);
  }
  EXPECT_EQ(columns.size(), 32u);
  EXPECT_EQ(*columns.rbegin(), 31u);
}

TEST(Layout, PhysicalOrder) {
  constexpr std::array<std::uint32_t, 8> expected = {0, 2, 4, 6, 1, 3, 5, 7};
  for (std::uint32_t p = 0; p < 8; ++p) EXPECT_EQ(logical_of_physical(p), expected[p]) << p;
}

TEST(Layout, PaddingAndSizes) {
  EXPECT_EQ(pad_to_tile(1), 32u);
  EXPECT_EQ(pad_to_tile(32), 32u);
  EXPECT_EQ(pad_to_tile(4120), 4128u);
  EXPECT_EQ(pad_gated(160), 192u);  // 80 + 80 becomes 96 + 96
  EXPECT_EQ(pad_gated(8704), 8704u);
  EXPECT_EQ(code_bytes(4128, 5120), 10'567'680u);
  EXPECT_EQ(scale_bytes(4128, 5120), 1'320'960u);
  EXPECT_EQ(code_bytes(1u << 31, 1u << 10), std::size_t{1} << 40);  // beyond 32 bits
}

}  // namespace
}  // namespace quadpair::qpn2
