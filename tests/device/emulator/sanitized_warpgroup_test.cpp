// The sanitizer on wgmma and bar.arrive: order between who writes b and who multiplies it.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include "tests/device/emulator/sanitized.hpp"
#include "tests/device/opcodes/warpgroup_kernel.hpp"

namespace quadpair::device {
namespace {

using testing::HasSubstr;

std::string fault_with(const std::function<void(WarpgroupKernel&)>& change, bool staged = false) {
  WarpgroupKernel kernel(8, 128, staged);
  kernel.sanitize = true;
  change(kernel);
  return kernel.fault();
}

TEST(SanitizedWarpgroup, NothingOfThePlainKernel) {
  EXPECT_EQ(fault_with([](WarpgroupKernel&) {}), "no fault");
}

TEST(SanitizedWarpgroup, WritersFenceForTheAsynchronousProxy) {
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) { kernel.text.proxy_fence = ""; }),
              HasSubstr("warp 0, lane 0 wrote there, with no fence.proxy.async between"));
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) {
                kernel.text.proxy_fence += "@!%q st.shared.u32 [%s+1024], %t;";
              }),
              HasSubstr("no fence.proxy.async between"));
}

TEST(SanitizedWarpgroup, WritersAreWaitedFor) {
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) { kernel.text.barrier = ""; }),
              HasSubstr("race: warp 0, lane 0 wrote there, with no barrier between"));
}

TEST(SanitizedWarpgroup, BMayNotBeWrittenBeforeTheWait) {
  const std::string write = "bar.sync 0; @!%q st.shared.u32 [%s+1024], %t;";
  EXPECT_THAT(fault_with([&](WarpgroupKernel& kernel) { kernel.text.before_wait = write; }),
              HasSubstr("read there, with no barrier between"));
  EXPECT_EQ(fault_with([&](WarpgroupKernel& kernel) { kernel.text.after_wait = write; }), "no fault");
  EXPECT_THAT(fault_with([&](WarpgroupKernel& kernel) {
                kernel.text.after_wait = "@!%q st.shared.u32 [%s+1024], %t;";
                kernel.text.wait = "setp.eq.u32 %q, %w, 0; not.pred %q, %q; wgmma.wait_group.sync.aligned 0;";
              }),
              HasSubstr("no fault"))
      << "the product is the whole group's: who has waited may write";
}

/// What holds for B holds for A in shared memory.
TEST(SanitizedWarpgroup, OfAInSharedMemory) {
  const auto fault = [](const std::function<void(WarpgroupKernel&, const std::string&)>& change) {
    return fault_with(
        [&](WarpgroupKernel& kernel) {
          change(kernel, fmt::format("@!%q st.shared.u32 [%s+{}], %t;", kernel.left() + 63 * 128));
        },
        true);
  };
  EXPECT_EQ(fault([](WarpgroupKernel&, const std::string&) {}), "no fault");
  EXPECT_THAT(
      fault([](WarpgroupKernel& kernel, const std::string& write) { kernel.text.proxy_fence += write; }),
      HasSubstr("no fence.proxy.async between"));
  EXPECT_THAT(fault([](WarpgroupKernel& kernel, const std::string& write) {
                kernel.text.before_wait = "bar.sync 0;" + write;
              }),
              HasSubstr("read there, with no barrier between"));
  EXPECT_EQ(fault([](WarpgroupKernel& kernel, const std::string& write) {
              kernel.text.after_wait = "bar.sync 0;" + write;
            }),
            "no fault");
  EXPECT_THAT(fault([](WarpgroupKernel& kernel, const std::string&) {
                kernel.text.fence += "sub.u64 %e, %e, 128;";  // the kilobyte before b
              }),
              HasSubstr("nothing in this block wrote there"));
}

TEST(SanitizedWarpgroup, BMustHaveBeenWritten) {
  EXPECT_THAT(fault_with([](WarpgroupKernel& kernel) {
                kernel.descriptor -= 64;  // the kilobyte before
              }),
              HasSubstr("nothing in this block wrote there"));
}

/// Warp 0 writes a word a lane and comes to barrier 3 of 64 threads, at which warp 1 waits and reads.
std::string handing_over(const std::string& before, const std::string& after, const std::string& read) {
  return "shl.b32 %s, %l, 2; setp.eq.u32 %p, %w, 0; @!%p bra READER;\n" + before +
         "\nst.shared.u32 [%s], %l;\n" + after + "\nret;\nREADER:\n" + read + "\nld.shared.u32 %x, [%s];";
}

const Shape two_warps = {.block = {64}};

TEST(SanitizedArrive, OrdersWhatCameBefore) {
  const std::string arrive = "bar.arrive 3, 64;", wait = "bar.sync 3, 64;";
  EXPECT_EQ(fault_of(handing_over("", arrive, wait), two_warps), "no fault");
  EXPECT_THAT(fault_of(handing_over(arrive, "", wait), two_warps),
              HasSubstr("race: warp 0, lane 0 wrote there"));
  EXPECT_THAT(fault_of(handing_over("", arrive, wait) + "\nst.shared.u32 [%s], %l;", two_warps),
              HasSubstr("no fault"));
}

TEST(SanitizedArrive, WhoArrivesIsNotOrderedAfterOthers) {
  // Warp 1 reads and waits; warp 0 has gone on, and may write before that.
  const std::string body =
      "shl.b32 %s, %l, 2; setp.eq.u32 %p, %w, 1; @!%p bra WRITER;\nst.shared.u32 [%s], %l; bar.sync 3, "
      "64;\nret;\nWRITER: bar.arrive 3, 64;\nst.shared.u32 [%s], %l;";
  EXPECT_THAT(fault_of(body, two_warps), HasSubstr("race"));
}

TEST(Arrive, IsCountedOnce) {
  EXPECT_THAT(fault_of(handing_over("", "bar.arrive 3, 64; bar.arrive 3, 64;", "bar.sync 3, 64;"), two_warps),
              HasSubstr("a second arrival at barrier 3 before it was complete"));
  EXPECT_THAT(fault_of(handing_over("", "", "bar.sync 3, 64;"), two_warps),
              HasSubstr("barrier 3 of 64 threads, at which 32 wait"));
  EXPECT_THAT(fault_of(handing_over("", "bar.arrive 2, 64;", "bar.sync 3, 64;"), two_warps),
              HasSubstr("barrier 3 of 64 threads, at which 32 wait"));
  EXPECT_THAT(fault_of(handing_over("", "bar.arrive 16, 64;", "bar.sync 3, 64;"), two_warps),
              HasSubstr("barrier 16 of 16"));
}

}  // namespace
}  // namespace quadpair::device
