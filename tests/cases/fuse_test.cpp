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

TEST(FuseGateUp, RefusesPartsOfDifferentShape) {
  EXPECT_THROW(fuse_gate_up("f", part(3, 1, 1), part(4, 1, 2)), DataError);
}

}  // namespace
}  // namespace quadpair::cases
