#include "cases/fuse.hpp"

#include <gtest/gtest.h>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

QuantizedMatrix part(std::uint32_t n, float g, std::uint8_t mark) {
  return {
      "part", "test", n, 16, 1, std::vector<std::uint8_t>(n * 8, mark), std::vector<std::uint8_t>(n, mark),
      {g}};
}

TEST(FuseGateUp, StacksGateOverUp) {
  const QuantizedMatrix fused = fuse_gate_up("f", part(3, 0.5f, 1), part(3, 0.5f, 2));
  EXPECT_EQ(fused.n, 6u);
  EXPECT_EQ(fused.halves, 2u);
  EXPECT_EQ(fused.scales, (std::vector<std::uint8_t>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(fused.codes[23], 1);
  EXPECT_EQ(fused.codes[24], 2);
  EXPECT_EQ(fused.globals, std::vector<float>{0.5f});
}

TEST(FuseGateUp, KeepsEachPartsOwnGlobalScale) {
  // 80 + 80 rows: three tiles each.
  const QuantizedMatrix fused = fuse_gate_up("f", part(80, 1.0f / 2688, 1), part(80, 1.0f / 1344, 2));
  EXPECT_EQ(fused.globals, (std::vector<float>{1.0f / 2688, 1.0f / 2688, 1.0f / 2688, 1.0f / 1344,
                                               1.0f / 1344, 1.0f / 1344}));
}

TEST(FuseParts, OneScaleNeedsNoPadding) {
  const QuantizedMatrix fused = fuse_parts("f", {part(24, 0.5f, 1), part(24, 0.5f, 2)});
  EXPECT_EQ(fused.n, 48u);
  EXPECT_EQ(fused.halves, 1u);
  EXPECT_EQ(fused.globals, std::vector<float>{0.5f});
}

TEST(FuseParts, APartOfAnotherScaleBeginsOnATile) {
  // 24 + 24 rows of one scale reach into the second tile; 8 rows of another begin the third.
  const QuantizedMatrix fused = fuse_parts("f", {part(24, 0.5f, 1), part(24, 0.5f, 2), part(8, 0.25f, 3)});
  EXPECT_EQ(fused.n, 72u);
  EXPECT_EQ(fused.globals, (std::vector<float>{0.5f, 0.5f, 0.25f}));
  EXPECT_EQ(fused.scales[47], 2);
  EXPECT_EQ(fused.scales[48], 0);
  EXPECT_EQ(fused.scales[63], 0);
  EXPECT_EQ(fused.scales[64], 3);
  EXPECT_EQ(fused.codes[64 * 8], 3);
  EXPECT_EQ(fused.codes[64 * 8 - 1], 0);
}

TEST(FuseParts, RefusesPartsThatDoNotFit) {
  QuantizedMatrix other = part(3, 1, 1);
  other.k = 32;
  EXPECT_THROW(fuse_parts("f", {part(3, 1, 1), other}), DataError);
  other = part(3, 1, 1);
  other.format = WeightFormat::fp8_channel;
  EXPECT_THROW(fuse_parts("f", {part(3, 1, 1), other}), DataError);
  QuantizedMatrix block = part(96, 1, 1);
  block.format = WeightFormat::fp8_block;
  EXPECT_THROW(fuse_parts("f", {block, block}), DataError);
}

TEST(FuseGateUp, RefusesPartsOfDifferentShape) {
  EXPECT_THROW(fuse_gate_up("f", part(3, 1, 1), part(4, 1, 2)), DataError);
}

}  // namespace
}  // namespace quadpair::cases
