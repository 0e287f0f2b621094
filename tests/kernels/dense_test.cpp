// The dense products on the host: what is admitted, the chunks and their workspace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/dense/dense_prefill.hpp"
#include "tests/kernels/refusal.hpp"

namespace quadpair {
namespace {

using quadpair::testing::all_targets;
using quadpair::testing::refusal;
using ::testing::HasSubstr;

TEST(DenseGemm, RefusesByName) {
  const dense::GemmArguments good{3, 40, 64, 0x1000, 64, 0x2000, 0x3000, 40};
  EXPECT_EQ(refusal([&] { dense::gemm(good, {128, 128, 1}, Target::sm80); }), "admitted");
  const auto message = [&](auto spoil) {
    dense::GemmArguments a = good;
    spoil(a);
    return refusal([&] { dense::gemm(a, {128, 128, 1}, Target::sm80); });
  };
  EXPECT_THAT(message([](auto& a) { a.k = 96; }), HasSubstr("K=96"));
  EXPECT_THAT(message([](auto& a) { a.n = 0; }), HasSubstr("N=0"));
  EXPECT_THAT(message([](auto& a) { a.w += 8; }), HasSubstr("w is null or not 16-byte aligned"));
  EXPECT_THAT(message([](auto& a) { a.ldx = 72 + 4; }), HasSubstr("ldx=76"));
  EXPECT_THAT(message([](auto& a) { a.ldy = 39; }), HasSubstr("ldy=39"));
  EXPECT_THAT(refusal([&] { dense::gemm(good, {64, 128, 2}, Target::sm80); }), HasSubstr("64x128.s2"));
  EXPECT_THROW(dense::accumulation_plan(96, Target::sm80), Refused);
  const dense::GemmArguments none{0, 40, 64, 0, 0, 0, 0, 0};
  EXPECT_TRUE(dense::gemm(none, {128, 128, 1}, Target::sm80).empty());
}

TEST(DenseGemm, Launches) {
  struct Expected {
    Target target;
    wide::Tuning tuning;
    Dim3 grid, block;
    std::uint32_t shared;  ///< stages x (rows + columns) x 128
  };
  const Expected table[] = {
      {Target::sm70, {64, 128, 1}, {17, 3, 1}, {128, 1, 1}, 2 * 192 * 128},
      {Target::sm80, {128, 256, 1}, {9, 2, 1}, {256, 1, 1}, 3 * 384 * 128},
      // By warpgroups: one for 64 or 128 rows, and one that copies.
      {Target::sm90, {128, 192, 1, true}, {9, 2, 1}, {384, 1, 1}, 5 * 320 * 128},
      {Target::sm90, {256, 128, 1, true}, {5, 3, 1}, {384, 1, 1}, 4 * 384 * 128},
      {Target::sm90, {256, 160, 1, true}, {5, 3, 1}, {384, 1, 1}, 4 * 416 * 128},
  };
  for (const Expected& e : table) {
    const dense::GemmArguments a{1025, 380, 64, 0x1000, 64, 0x2000, 0x3000, 380};
    const Launch launch = dense::gemm(a, e.tuning, e.target).at(0);
    EXPECT_EQ(launch.grid, e.grid) << launch.entry;
    EXPECT_EQ(launch.block, e.block) << launch.entry;
    EXPECT_EQ(launch.dynamic_shared, e.shared) << launch.entry;
  }
}

/// The fastest tiles, timed on an H200 (medians, cold weights).
TEST(DenseGemm, TunedTilesAreTheOnesMeasuredFastest) {
  const auto tile = [](std::uint32_t m, std::uint32_t n, std::uint32_t k) {
    return to_string(dense::tuned(m, n, k, Target::sm90));
  };
  EXPECT_EQ(tile(1024, 4128, 5120), "256x128.wgmma");
  EXPECT_EQ(tile(1024, 3584, 5120), "256x128.wgmma");
  EXPECT_EQ(tile(1024, 5120, 1536), "256x160.wgmma");
  EXPECT_EQ(tile(1024, 5120, 4352), "256x160.wgmma");
  EXPECT_EQ(tile(4096, 4128, 5120), "256x128.wgmma");
  EXPECT_EQ(tile(4096, 8704, 5120), "256x160.wgmma");
  EXPECT_EQ(tile(4096, 5120, 4352), "256x160.wgmma");
  for (const Target target : {Target::sm70, Target::sm80})
    EXPECT_FALSE(dense::tuned(4096, 8704, 5120, target).wgmma);
}

dense::PrefillArguments prefill_arguments(std::uint32_t m, std::uint32_t n, std::uint32_t k,
                                          std::size_t limit) {
  dense::PrefillArguments a;
  a.gemm.m = m, a.gemm.n = n, a.gemm.k = k, a.gemm.ldx = k, a.gemm.ldy = n;
  a.gemm.codes = 0x10000, a.gemm.scales = 0x20000, a.gemm.x = 0x30000, a.gemm.y = 0x40000;
  a.gemm.global.value = 0x3C00;
  a.workspace = 0x50000, a.workspace_limit = limit;
  return a;
}

TEST(DensePrefill, WorkspaceIsWholeTilesWithinTheLimit) {
  constexpr std::size_t tile = 32 * 1024 * 2;
  EXPECT_EQ(dense::workspace_bytes(128, 1024, tile), tile);
  EXPECT_EQ(dense::workspace_bytes(128, 1024, 3 * tile - 1), 2 * tile);
  EXPECT_EQ(dense::workspace_bytes(128, 1024, 3 * tile), 2 * tile);  // two chunks either way
  EXPECT_EQ(dense::workspace_bytes(160, 1024, 4 * tile), 3 * tile);
  EXPECT_EQ(dense::workspace_bytes(128, 1024, 1 << 30), 4 * tile);
  EXPECT_THAT(refusal([] { dense::workspace_bytes(128, 1024, tile - 1); }),
              HasSubstr("dense_prefill: a workspace of 65535 bytes does not hold a tile of 65536"));
}

TEST(DensePrefill, ChunksFollowEachOther) {
  for (const Target target : all_targets) {
    dense::PrefillArguments a = prefill_arguments(1024, 152, 1024, 4 * 65536);
    a.gemm.global.tiles = 0x60000;
    const std::vector<dense::Chunk> chunks = dense::prefill_chunks(a, target);
    ASSERT_EQ(chunks.size(), 2u);
    EXPECT_EQ(chunks[0].first, 0u);
    EXPECT_EQ(chunks[0].product.n, 96u);
    EXPECT_EQ(chunks[0].product.y, 0x40000u);
    EXPECT_EQ(chunks[1].first, 96u);
    EXPECT_EQ(chunks[1].product.n, 56u);
    EXPECT_EQ(chunks[1].product.y, 0x40000u + 192);
    EXPECT_EQ(chunks[1].product.ldy, 152u);
    for (const dense::Chunk& chunk : chunks) EXPECT_EQ(chunk.product.w, 0x50000u);
    EXPECT_EQ(chunks[0].decode.at(0).grid, (Dim3{3, 2, 1}));
    EXPECT_EQ(chunks[1].decode.at(0).grid, (Dim3{2, 2, 1}));
    EXPECT_EQ(dense::dense_prefill(a, target).size(), 4u);
    a.gemm.m = 0;
    EXPECT_TRUE(dense::dense_prefill(a, target).empty());
  }
}

TEST(DensePrefill, RefusesByName) {
  const auto message = [](auto spoil) {
    dense::PrefillArguments a = prefill_arguments(2048, 64, 64, 1 << 20);
    spoil(a);
    return refusal([&] { dense::dense_prefill(a, Target::sm90); });
  };
  EXPECT_EQ(message([](auto&) {}), "admitted");
  EXPECT_THAT(message([](auto& a) { a.gemm.codes += 8; }), HasSubstr("codes"));
  EXPECT_THAT(message([](auto& a) { a.gemm.scales = 0; }), HasSubstr("scales"));
  EXPECT_THAT(message([](auto& a) { a.gemm.k = 32; }), HasSubstr("K=32"));
  EXPECT_THAT(message([](auto& a) { a.gemm.n = 0; }), HasSubstr("N=0"));
  EXPECT_THAT(message([](auto& a) { a.gemm.global.value = 0x7C00; }), HasSubstr("the global scale"));
  EXPECT_THAT(message([](auto& a) { a.gemm.global.tiles = 0x1001; }), HasSubstr("global scales are not"));
  EXPECT_THAT(message([](auto& a) { a.workspace += 16; }), HasSubstr("workspace is null or not 256-byte"));
  EXPECT_THAT(message([](auto& a) { a.workspace_limit = 4095; }), HasSubstr("does not hold a tile of 4096"));
  EXPECT_THAT(message([](auto& a) { a.gemm.ldy = 63; }), HasSubstr("ldy=63"));
}

}  // namespace
}  // namespace quadpair
