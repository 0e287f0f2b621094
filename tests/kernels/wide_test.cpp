// The wide products on the host: what is admitted, the launches, the plans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/dense/dense_prefill.hpp"
#include "kernels/wide/tm_gemm.hpp"
#include "tests/kernels/refusal.hpp"

namespace quadpair {
namespace {

using quadpair::testing::all_targets;
using quadpair::testing::refusal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

wide::TmGemmArguments wide_arguments(std::uint32_t m, std::uint32_t n, std::uint32_t k) {
  wide::TmGemmArguments a;
  a.m = m, a.n = n, a.k = k, a.ldx = k, a.ldy = n;
  a.codes = a.scales = a.x = a.y = 0x1000;
  a.kind = wide::Scales::compact;
  a.globals = global_parts(std::vector{1.0f}, (n + 31) / 32);
  return a;
}

TEST(TmGemm, Launches) {
  struct Expected {
    Target target;
    wide::Tuning tuning;
    std::uint32_t m, n;
    Dim3 grid, block;
    std::uint32_t shared;  ///< stages x slices x (rows x 128 + columns x 40), without weights on sm70
  };
  const Expected table[] = {
      {Target::sm70, {64, 128, 1}, 65, 136, {2, 2, 1}, {128, 1, 1}, 2 * 64 * 128},
      {Target::sm80, {64, 64, 4}, 33, 72, {1, 2, 1}, {256, 1, 1}, 3 * 4 * (64 * 128 + 64 * 40)},
      {Target::sm90, {64, 96, 4}, 64, 8704, {1, 91, 1}, {384, 1, 1}, 3 * 4 * (64 * 128 + 96 * 40)},
      {Target::sm90, {128, 128, 1}, 1023, 4120, {8, 33, 1}, {128, 1, 1}, 4 * (128 * 128 + 128 * 40)},
      {Target::sm90, {40, 32, 8}, 33, 4128, {1, 129, 1}, {256, 1, 1}, 2 * 8 * (40 * 128 + 32 * 40)},
      // By warpgroups: four stages of rows x 128, and 128 threads that fill them.
      {Target::sm90, {96, 128, 1, true}, 97, 136, {2, 2, 1}, {384, 1, 1}, 4 * 96 * 128},
      {Target::sm90, {128, 192, 1, true}, 512, 5120, {4, 27, 1}, {512, 1, 1}, 4 * 128 * 128},
      {Target::sm90, {152, 256, 1, true}, 1023, 8704, {7, 34, 1}, {384, 1, 1}, 4 * 152 * 128},
  };
  for (const Expected& e : table)
    for (const auto kind : {wide::Scales::compact, wide::Scales::persistent}) {
      wide::TmGemmArguments a = wide_arguments(e.m, e.n, 1024);
      a.kind = kind;
      const std::vector<Launch> launches = wide::tm_gemm(a, e.tuning, e.target);
      ASSERT_EQ(launches.size(), 1u);
      EXPECT_EQ(launches[0].module->target, e.target);
      EXPECT_THAT(launches[0].entry, HasSubstr(kind == wide::Scales::compact ? "compact" : "persistent"));
      EXPECT_EQ(launches[0].grid, e.grid) << to_string(e.tuning);
      EXPECT_EQ(launches[0].block, e.block) << to_string(e.tuning);
      EXPECT_EQ(launches[0].dynamic_shared, e.shared) << to_string(e.tuning);
    }
}

TEST(TmGemm, TunedShapesHaveKernelsThatFit) {
  for (const Target target : all_targets) {
    const std::uint32_t shared_memory = target == Target::sm70   ? 96 * 1024
                                        : target == Target::sm80 ? 163 * 1024
                                                                 : 227 * 1024;
    for (const std::uint32_t m : {1u, 33u, 40u, 41u, 64u, 65u, 128u, 135u, 200u, 512u, 1023u, 5000u})
      for (const auto& [n, k] : {std::pair(5120u, 1536u),
                                 {5120u, 4352u},
                                 {3584u, 5120u},
                                 {4128u, 5120u},
                                 {8704u, 5120u},
                                 {32u, 64u}}) {
        const Launch launch =
            wide::tm_gemm(wide_arguments(m, n, k), wide::tuned(m, n, k, target), target).at(0);
        EXPECT_LE(launch.dynamic_shared, shared_memory) << launch.entry;
        const dense::GemmArguments product{m, n, k, 0x1000, k, 0x1000, 0x1000, n};
        EXPECT_LE(dense::gemm(product, dense::tuned(m, n, k, target), target).at(0).dynamic_shared,
                  shared_memory);
      }
  }
}

/// The fastest of 27 tiles and 14 by warpgroups, timed on an H200 (medians, cold weights).
TEST(TmGemm, TunedTilesAreTheOnesMeasuredFastest) {
  const auto tile = [](std::uint32_t m, std::uint32_t n, std::uint32_t k) {
    return to_string(wide::tuned(m, n, k, Target::sm90));
  };
  for (const std::uint32_t n : {3584u, 4128u}) {
    EXPECT_EQ(tile(33, n, 5120), "40x32.s8");
    EXPECT_EQ(tile(64, n, 5120), "64x32.s8");
    EXPECT_EQ(tile(256, n, 5120), "128x64.s4");
    EXPECT_EQ(tile(512, n, 5120), "128x128.wgmma");
    EXPECT_EQ(tile(1023, n, 5120), "152x256.wgmma");
  }
  EXPECT_EQ(tile(33, 8704, 5120), "40x96.s4");
  EXPECT_EQ(tile(64, 8704, 5120), "64x96.s4");
  EXPECT_EQ(tile(128, 8704, 5120), "64x192.wgmma");
  EXPECT_EQ(tile(256, 8704, 5120), "128x192.wgmma");
  EXPECT_EQ(tile(1023, 8704, 5120), "152x256.wgmma");
  for (const std::uint32_t k : {1536u, 4352u}) {
    EXPECT_EQ(tile(64, 5120, k), "64x64.s4");
    EXPECT_EQ(tile(256, 5120, k), "96x128.wgmma");
    EXPECT_EQ(tile(512, 5120, k), "128x192.wgmma");
    EXPECT_EQ(tile(1023, 5120, k), "128x192.wgmma");
  }
}

/// Later GPUs have no wgmma.
TEST(TmGemm, TilesOfSm80AreNotByWarpgroups) {
  for (const std::uint32_t m : {128u, 512u, 1023u})
    EXPECT_FALSE(wide::tuned(m, 8704, 5120, Target::sm80).wgmma);
  EXPECT_THAT(refusal([] {
                wide::tm_gemm(wide_arguments(512, 8704, 5120), {128, 192, 1, true}, Target::sm80);
              }),
              HasSubstr("no kernel for sm80 computes tiles 128x192.wgmma"));
}

TEST(TmGemm, TuningsAsText) {
  for (const wide::Tuning tuning : {wide::Tuning{64, 128, 4}, {152, 256, 1, true}})
    EXPECT_EQ(wide::tuning_from_string(to_string(tuning)), tuning);
  EXPECT_EQ(to_string(wide::Tuning{152, 256, 1, true}), "152x256.wgmma");
  for (const char* text : {"64x128", "64x128.s1.wgmma", "64x128.wgmma ", "64.wgmma"})
    EXPECT_FALSE(wide::tuning_from_string(text)) << text;
}

/// One order for the tiles of one slice, however they multiply.
TEST(TmGemm, WarpgroupsSumInTheOrderOfWarps) {
  EXPECT_EQ(wide::accumulation_plan(5120, {128, 192, 1, true}, Target::sm90),
            wide::accumulation_plan(5120, {128, 128, 1}, Target::sm90));
}

TEST(TmGemm, NoRowsLaunchNothing) {
  wide::TmGemmArguments a;
  a.n = 40, a.k = 64;
  EXPECT_TRUE(wide::tm_gemm(a, {96, 128, 2}, Target::sm80).empty());
  a.k = 32;
  EXPECT_THROW(wide::tm_gemm(a, {96, 128, 2}, Target::sm80), Refused);
}

TEST(TmGemm, Plans) {
  const AccumulationPlan native = wide::accumulation_plan(320, {96, 128, 2}, Target::sm90);
  EXPECT_EQ(native.mma, MmaShape::m16n8k16);
  EXPECT_EQ(native.unit_k, 64u);
  EXPECT_EQ(native.chains, 1u);
  ASSERT_EQ(native.steps.size(), 4u);
  EXPECT_THAT(native.steps[1].k, ElementsAre(4, 5, 20, 21, 36, 37, 52, 53, 6, 7, 22, 23, 38, 39, 54, 55));
  EXPECT_THAT(native.slices, ElementsAre(0, 2, 5));

  const AccumulationPlan volta = wide::accumulation_plan(320, {64, 128, 1}, Target::sm70);
  EXPECT_EQ(volta.mma, MmaShape::m8n8k4);
  ASSERT_EQ(volta.steps.size(), 4u);
  EXPECT_THAT(volta.steps[3].k, ElementsAre(12, 13, 14, 15));
  EXPECT_THAT(volta.slices, ElementsAre(0, 20));

  for (const Target target : {Target::sm70, Target::sm80}) {
    const AccumulationPlan dense = dense::accumulation_plan(320, target);
    EXPECT_EQ(dense.slice_count(), 1u);
    EXPECT_EQ(dense.steps, (target == Target::sm70 ? volta : native).steps);
  }
  const AccumulationPlan warpgroups = dense::accumulation_plan(320, Target::sm90);
  EXPECT_EQ(to_string(warpgroups), "m16n8k16 unit 64: c0[0-15] c0[16-31] c0[32-47] c0[48-63]; slices 0 5");
}

struct BadWide {
  const char* words;
  std::function<void(wide::TmGemmArguments&)> spoil;
};

TEST(TmGemm, RefusesByName) {
  const BadWide table[] = {
      {"codes", [](auto& a) { a.codes = 0; }},
      {"codes", [](auto& a) { a.codes += 8; }},
      {"scales", [](auto& a) { a.scales = 0; }},
      {"scales", [](auto& a) { a.scales += 8; }},
      {"x is", [](auto& a) { a.x += 8; }},
      {"x is", [](auto& a) { a.x = 0; }},
      {"y is", [](auto& a) { a.y += 1; }},
      {"y is", [](auto& a) { a.y = 0; }},
      {"ldx=1028", [](auto& a) { a.ldx = 1028; }},
      {"ldx=1016", [](auto& a) { a.ldx = 1016; }},
      {"ldy=39", [](auto& a) { a.ldy = 39; }},
      {"K=96", [](auto& a) { a.k = 96; }},
      {"K=0", [](auto& a) { a.k = 0; }},
      {"N=0", [](auto& a) { a.n = 0; }},
      {"end at tile 1, not 2", [](auto& a) { a.globals = global_parts(std::vector{1.0f}, 1); }},
      {"part 0 of the global scales is not positive", [](auto& a) { a.globals.g[0] = 0; }},
  };
  for (const BadWide& bad : table) {
    wide::TmGemmArguments a = wide_arguments(3, 40, 1024);
    bad.spoil(a);
    const std::string message = refusal([&] { wide::tm_gemm(a, {64, 128, 1}, Target::sm70); });
    EXPECT_THAT(message, HasSubstr(bad.words));
    EXPECT_THAT(message, HasSubstr("tm_gemm: "));
  }
  const wide::TmGemmArguments good = wide_arguments(3, 40, 1024);
  EXPECT_EQ(refusal([&] { wide::tm_gemm(good, {64, 128, 1}, Target::sm70); }), "admitted");
  EXPECT_THAT(refusal([&] {
                wide::tm_gemm(good, {64, 100, 1}, Target::sm80);
              }),
              HasSubstr("no kernel for sm80 computes tiles 64x100.s1"));
  EXPECT_THAT(refusal([&] { wide::tm_gemm(good, {64, 128, 2}, Target::sm70); }), HasSubstr("64x128.s2"));
  wide::TmGemmArguments persistent = good;  // which reads no globals
  persistent.kind = wide::Scales::persistent, persistent.globals = {};
  EXPECT_EQ(refusal([&] { wide::tm_gemm(persistent, {64, 128, 1}, Target::sm70); }), "admitted");
}

}  // namespace
}  // namespace quadpair
