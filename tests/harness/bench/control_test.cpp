#include "harness/bench/control.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace quadpair::bench {
namespace {

TEST(Control, Names) {
  EXPECT_EQ(parse_control("stream").kind, Control::Kind::stream);
  EXPECT_EQ(parse_control("cublas").kind, Control::Kind::cublas);
  EXPECT_EQ(parse_control("sm80").target, Target::sm80);
  EXPECT_EQ(parse_control("s8.c1").tuning, (qpn2::Tuning{8, 1}));
  EXPECT_EQ(parse_control("s8.c1").kind, Control::Kind::kernel);
  EXPECT_EQ(parse_control("64x128.s2").tile, "64x128.s2");
  EXPECT_EQ(parse_control("temporary").layout, "temporary");
  EXPECT_EQ(parse_control("dual").kind, Control::Kind::kernel);
  for (const char* wrong : {"", "sm75", "s8", "64x128", "64x128.s2 ", "064x128.s2", "streams"})
    EXPECT_THROW(parse_control(wrong), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace quadpair::bench
