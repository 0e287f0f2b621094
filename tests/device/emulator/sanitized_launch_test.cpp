// The sanitizer on griddepcontrol: what a kernel that lets the next launch start early may do before it
// waits.
#include <gmock/gmock.h>

#include <string>

#include "tests/device/emulator/sanitized.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string store = "add.u64 %a, %out, %i; st.global.u32 [%a], %t;";
const std::string released = "griddepcontrol.launch_dependents;", waited = "griddepcontrol.wait;";

TEST(SanitizedLaunch, StoresWaitForTheLaunchAhead) {
  EXPECT_EQ(fault_of(released + waited + store), "no fault");
  EXPECT_EQ(fault_of(waited + released + store), "no fault");
  EXPECT_EQ(fault_of(store), "no fault");
  EXPECT_EQ(fault_of(waited + store), "no fault");
  EXPECT_THAT(fault_of(released + store),
              AllOf(HasSubstr("32 faults at 1 instruction"), HasSubstr("warp 0, lane 0: write of 4 bytes"),
                    HasSubstr("the launch ahead may still be running")));
  EXPECT_THAT(fault_of(released + store + waited + store), HasSubstr("32 faults at 1 instruction"));
}

TEST(SanitizedLaunch, OfEveryForm) {
  const std::string early = "the launch ahead may still be running";
  EXPECT_THAT(fault_of(released +
                       "shl.b64 %i, %i, 2; add.u64 %a, %out, %i; st.global.v4.u32 [%a], {%t, %t, %t, %t};"),
              AllOf(HasSubstr("write of 16 bytes"), HasSubstr(early)));
  EXPECT_THAT(fault_of(released + "add.u64 %a, %out, %i; st.u32 [%a], %t;"), HasSubstr(early));
  EXPECT_EQ(fault_of(released + "st.shared.u32 [%s], %t;"), "no fault");
  EXPECT_EQ(fault_of(released + "cvt.u64.u32 %a, %s; cvta.shared.u64 %a, %a; st.u32 [%a], %t;"), "no fault");
}

TEST(SanitizedLaunch, EachLaneWaitsForItself) {
  const std::string part = "setp.ne.u32 %p, %t, 3; @%p griddepcontrol.wait;";
  EXPECT_THAT(fault_of(released + part + store),
              AllOf(HasSubstr("warp 0, lane 3: write"), HasSubstr("the launch ahead")));
  EXPECT_EQ(fault_of(released + part + "add.u64 %a, %out, %i; @%p st.global.u32 [%a], %t;"), "no fault");
}

TEST(SanitizedLaunch, EachWarpWaitsForItself) {
  const std::string first = "setp.eq.u32 %p, %w, 0; @%p griddepcontrol.wait;";
  EXPECT_THAT(fault_of(released + first + store, {.block = {64}}),
              AllOf(HasSubstr("warp 1, lane 0: write"), HasSubstr("32 faults")));
}

/// What one thread has waited for, those that it meets afterwards come after too.
TEST(SanitizedLaunch, ABarrierPassesTheWaitOn) {
  const std::string one = "setp.eq.u32 %p, %t, 5; @%p griddepcontrol.wait;";
  EXPECT_EQ(fault_of(released + one + "bar.sync 0;" + store, {.block = {64}}), "no fault");
  EXPECT_THAT(fault_of(released + "bar.sync 0;" + one + store, {.block = {64}}), HasSubstr("63 faults"));
}

TEST(SanitizedLaunch, EachBlockBeginsAnew) {
  const std::string own = "mul.wide.u32 %a, %c, 128; add.u64 %out, %out, %a;";
  const std::string first = "setp.eq.u32 %p, %c, 0;";
  EXPECT_THAT(fault_of(released + first + "@%p griddepcontrol.wait;" + own + store, {.grid = {2}}),
              AllOf(HasSubstr("block (1,0,0)"), HasSubstr("32 faults")));
  EXPECT_THAT(fault_of(first + "@%p griddepcontrol.launch_dependents;" + own + store, {.grid = {2}}),
              AllOf(HasSubstr("block (0,0,0)"), HasSubstr("32 faults")));
}

}  // namespace
}  // namespace quadpair::device
