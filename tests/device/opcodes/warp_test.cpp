// Instructions that reach across the lanes of a warp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/device/opcodes/kernel_runner.hpp"
#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

/// Runs one warp, with equal results on every SIMD target; the body has %x (the lane) and leaves results in
/// %y and %z.
std::vector<std::uint32_t> two_results(const std::string& body) {
  std::vector<std::uint32_t> results;
  for_every_simd_target([&] {
    KernelRunner runner(".param .u64 out",
                        ".reg .b64 %out, %i; .reg .b32 %x, %y, %z, %v, %b, %c; .reg .pred %p, %q;\n"
                        "mov.u32 %x, %laneid; mov.u32 %y, 0; mov.u32 %z, 0;\n" +
                            body +
                            "\nld.param.u64 %out, [out]; mul.wide.u32 %i, %x, 8; add.u64 %out, %out, %i;\n"
                            "st.global.v2.u32 [%out], {%y, %z}; ret;");
    const auto out = runner.output<std::uint32_t>(64);
    runner.run({1}, {32}, Arguments().add(out->address()));
    const auto found = contents<std::uint32_t>(*out);
    EXPECT_TRUE(results.empty() || found == results);
    results = found;
  });
  return results;
}

/// The PTX ISA's pseudo code of shfl: the source lane and whether it lies in range.
std::pair<int, bool> shuffle_source(const std::string& mode, int lane, int b, int c) {
  const int segment_mask = c >> 8 & 31, clamp = c & 31;
  const int max_lane = (lane & segment_mask) | (clamp & ~segment_mask), min_lane = lane & segment_mask;
  int j = 0;
  bool valid = false;
  if (mode == "up") j = lane - b, valid = j >= max_lane;
  if (mode == "down") j = lane + b, valid = j <= max_lane;
  if (mode == "bfly") j = lane ^ b, valid = j <= max_lane;
  if (mode == "idx") j = min_lane | (b & ~segment_mask), valid = j <= max_lane;
  return {valid ? j : lane, valid};
}

TEST(Shuffle, EveryModeDistanceAndWidth) {
  for (const std::string mode : {"up", "down", "bfly", "idx"})
    for (const int width : {32, 16, 8, 4})
      for (const int b : {0, 1, 2, 5, 16, 31}) {
        // As __shfl_*_sync makes the third operand.
        const int c = (32 - width) << 8 | (mode == "up" ? 0 : 31);
        const auto found = two_results(fmt::format(
            "add.u32 %v, %x, 1000; shfl.sync.{}.b32 %y|%p, %v, {}, {}, -1; selp.u32 %z, 1, 0, %p;", mode, b,
            c));
        for (int lane = 0; lane < 32; ++lane) {
          const auto [source, valid] = shuffle_source(mode, lane, b, c);
          ASSERT_EQ(found[2 * lane], 1000u + source)
              << mode << " " << b << " of " << width << ", lane " << lane;
          ASSERT_EQ(found[2 * lane + 1], valid ? 1u : 0u)
              << mode << " " << b << " of " << width << ", lane " << lane;
        }
      }
}

TEST(Shuffle, IndicesALaneOntoItself) {
  // %v is source and destination: each lane reads another's old value.
  const auto found = two_results(
      "add.u32 %v, %x, 7; sub.u32 %b, 31, %x; shfl.sync.idx.b32 %v, %v, %b, 31, -1; mov.u32 %y, %v;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(found[2 * lane], 31 - lane + 7);
}

TEST(Shuffle, WithinAPartOfTheWarp) {
  const auto found = two_results(
      "setp.lt.u32 %p, %x, 8; @!%p bra REST; shfl.sync.bfly.b32 %y, %x, 7, 31, 0xFF; REST: mov.u32 %z, 1;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(found[2 * lane], lane < 8 ? 7 - lane : 0);
}

TEST(Vote, BallotAnyAllUniform) {
  for (const std::uint32_t bits : {0u, 0xFFFFFFFFu, 0x80000001u, 0x12345678u}) {
    const std::string set =
        fmt::format("mov.u32 %v, {}; shr.u32 %v, %v, %x; and.b32 %v, %v, 1; setp.ne.u32 %p, %v, 0;", bits);
    const auto ballot = two_results(
        set + "vote.sync.ballot.b32 %y, %p, -1; vote.sync.any.pred %q, %p, -1; selp.u32 %z, 1, 0, %q;");
    const auto all = two_results(set +
                                 "vote.sync.all.pred %q, %p, -1; selp.u32 %y, 1, 0, %q;\n"
                                 "vote.sync.uni.pred %q, %p, -1; selp.u32 %z, 1, 0, %q;");
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(ballot[2 * lane], bits);
      EXPECT_EQ(ballot[2 * lane + 1], bits != 0);
      EXPECT_EQ(all[2 * lane], bits == 0xFFFFFFFF);
      EXPECT_EQ(all[2 * lane + 1], bits == 0 || bits == 0xFFFFFFFF);
    }
  }
}

// Each warp votes for itself, not all as the first.
TEST(Vote, EveryWarpIsItsOwn) {
  KernelRunner runner(
      ".param .u64 out",
      ".reg .b64 %out, %i; .reg .b32 %x, %y; .reg .pred %p;\n"
      "mov.u32 %x, %tid.x; mul.lo.u32 %y, %x, %x; and.b32 %y, %y, 36; setp.eq.u32 %p, %y, 36;\n"
      "vote.sync.ballot.b32 %y, %p, -1;\n"
      "ld.param.u64 %out, [out]; mul.wide.u32 %i, %x, 4; add.u64 %out, %out, %i; st.global.u32 [%out], %y; "
      "ret;");
  const auto out = runner.output<std::uint32_t>(128);
  runner.run({1}, {128}, Arguments().add(out->address()));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t thread = 0; thread < 128; ++thread) {
    std::uint32_t expected = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t x = thread / 32 * 32 + lane;
      if ((x * x & 36) == 36) expected |= 1u << lane;
    }
    EXPECT_EQ(found[thread], expected) << "thread " << thread;
  }
}

TEST(WarpBarrier, OfTheWholeWarpAndOfAPart) {
  const auto found = two_results(
      "bar.warp.sync -1; setp.lt.u32 %p, %x, 16; @%p bra LOW; bar.warp.sync 0xFFFF0000; mov.u32 %y, 2; bra "
      "JOIN;\n"
      "LOW: bar.warp.sync 0xFFFF; mov.u32 %y, 1; JOIN: bar.warp.sync -1;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(found[2 * lane], lane < 16 ? 1u : 2u);
}

}  // namespace
}  // namespace quadpair::device
