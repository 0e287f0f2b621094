#include "harness/timing/build.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadpair::timing {
namespace {

using testing::HasSubstr;

TEST(ReasonNotToTime, NamesWhatIsWrong) {
  EXPECT_FALSE(reason_not_to_time({.assertions = false, .optimised = true, .sanitised = false}));
  EXPECT_THAT(*reason_not_to_time({true, true, false}), HasSubstr("NDEBUG"));
  EXPECT_THAT(*reason_not_to_time({false, false, false}), HasSubstr("did not optimise"));
  EXPECT_THAT(*reason_not_to_time({false, true, true}), HasSubstr("sanitizer"));
  EXPECT_THAT(
      *reason_not_to_time({true, false, false}),
      testing::AllOf(HasSubstr("NDEBUG"), HasSubstr("did not optimise"), HasSubstr("--preset release")));
}

// The build's type as CMake has it, not as the compiler's macros have it.
TEST(ThisBuild, MayTimeWhenItIsAReleaseBuildOnly) {
  const std::string type = QUADPAIR_BUILD_TYPE;
  const bool optimised = type == "Release" || type == "RelWithDebInfo" || type == "MinSizeRel";
  EXPECT_EQ(reason_not_to_time(this_build()).has_value(), !optimised || QUADPAIR_SANITIZED);
}

}  // namespace
}  // namespace quadpair::timing
