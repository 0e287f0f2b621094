// What is known of memory that was written: edges that kernels seldom reach.
#include <gtest/gtest.h>

#include "harness/device/emulator/observe/shared_shadow.hpp"
#include "harness/device/emulator/observe/written_bytes.hpp"

namespace quadpair::emulator {
namespace {

TEST(WrittenBytes, AreKnownEachByItself) {
  WrittenBytes written(200);
  written.add(60, 70);  // in three words of 64
  EXPECT_TRUE(written.all(60, 70));
  EXPECT_FALSE(written.all(59, 71));
  EXPECT_FALSE(written.all(60, 71));
  EXPECT_TRUE(written.all(100, 0));
  EXPECT_FALSE(written.complete());
  written.add(0, 200);
  EXPECT_TRUE(written.complete());
  written.clear();
  EXPECT_FALSE(written.all(100, 1));
}

// Two warps and 4 bytes; more barriers than there are times.
TEST(SharedShadow, OutlivesItsTime) {
  SharedShadow shadow;
  shadow.begin_launch(8, 4, 2);
  shadow.begin_block();
  EXPECT_FALSE(shadow.write(0, 3, 0, 4));
  for (int i = 0; i < (1 << 21) + 10; ++i) shadow.barrier(3);
  EXPECT_FALSE(shadow.read(1, 0, 0, 4)) << "what was written stays written, and is ordered";
  EXPECT_EQ(shadow.read(1, 0, 4, 4)->kind, Hazard::Kind::unwritten);
  const auto race = shadow.write(0, 5, 0, 4);
  ASSERT_TRUE(race) << "races are seen as before";
  EXPECT_EQ(race->kind, Hazard::Kind::after_read);
  EXPECT_EQ(race->warp, 1u);
}

TEST(SharedShadow, ANewBlockFindsNothingHoweverLateItBegins) {
  SharedShadow shadow;
  shadow.begin_launch(4, 4, 1);
  for (int block = 0; block < (1 << 21) + 10; ++block) {
    shadow.begin_block();
    if (block % 100'000 == 0) {
      ASSERT_EQ(shadow.read(0, 1, 0, 4)->kind, Hazard::Kind::unwritten) << block;
    }
    ASSERT_FALSE(shadow.write(0, 1, 0, 4)) << block;
  }
}

}  // namespace
}  // namespace quadpair::emulator
