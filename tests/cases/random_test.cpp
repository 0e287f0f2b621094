#include "cases/random.hpp"

#include <gtest/gtest.h>

namespace quadpair::cases {
namespace {

TEST(Random, MixIsSplitMix64) {
  // The first three outputs of SplitMix64 with seed 1234567, as published for that generator.
  std::uint64_t state = 1234567;
  for (std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u})
    EXPECT_EQ(mix64(state += 0x9E3779B97F4A7C15u), expected);
}

TEST(Random, TextHashIsFnv1a) {
  EXPECT_EQ(hash_text(""), 0xCBF29CE484222325u);
  EXPECT_EQ(hash_text("foobar"), 0x85944171F73967E8u);  // the algorithm's published test vector
}

TEST(Random, StreamsDifferBySeedNameAndChild) {
  const RandomStream stream(1, "a");
  EXPECT_EQ(stream(7), RandomStream(1, "a")(7));
  EXPECT_NE(stream(7), stream(8));
  EXPECT_NE(stream(7), RandomStream(2, "a")(7));
  EXPECT_NE(stream(7), RandomStream(1, "b")(7));
  EXPECT_NE(stream(7), stream.child(0)(7));
  EXPECT_NE(stream.child(0)(7), stream.child(1)(7));
}

}  // namespace
}  // namespace quadpair::cases
