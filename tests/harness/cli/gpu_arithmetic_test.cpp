#include "harness/cli/gpu_arithmetic.hpp"

#include <gtest/gtest.h>

namespace quadpair::cli {
namespace {

using enum reference::Model;

TEST(GpuArithmetic, ByComputeCapability) {
  EXPECT_EQ(gpu_arithmetic(7, 0, Target::sm70), volta);        // V100
  EXPECT_EQ(gpu_arithmetic(7, 5, Target::sm70), turing);       // T4
  EXPECT_EQ(gpu_arithmetic(8, 0, Target::sm70), fma_lowered);  // A100
  EXPECT_EQ(gpu_arithmetic(9, 0, Target::sm70), fma_lowered);  // H200
  EXPECT_EQ(gpu_arithmetic(8, 9, Target::sm80), ampere);       // Ada
  EXPECT_EQ(gpu_arithmetic(9, 0, Target::sm80), hopper);
  EXPECT_EQ(gpu_arithmetic(9, 0, Target::sm90), hopper);
  EXPECT_EQ(gpu_arithmetic(10, 0, Target::sm80), hopper);  // B200
}

TEST(GpuArithmetic, NothingForCodeThatCannotRun) {
  EXPECT_EQ(gpu_arithmetic(6, 1, Target::sm70), std::nullopt);
  EXPECT_EQ(gpu_arithmetic(7, 5, Target::sm80), std::nullopt);
  EXPECT_EQ(gpu_arithmetic(8, 9, Target::sm90), std::nullopt);
  EXPECT_EQ(gpu_arithmetic(10, 0, Target::sm90), std::nullopt);  // B200 has no wgmma
}

}  // namespace
}  // namespace quadpair::cli
