// The fifteen vectors that tell the models apart, worked out by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "reference/tensor_core/model.hpp"

namespace quadpair::reference {
namespace {

using Halves = std::vector<std::uint16_t>;

/// Expected results: volta (and turing's m8n8k4), turing's m16n8k8 and ampere, hopper, fma-lowered.
struct Vector {
  int number;
  Halves a, b;
  std::uint32_t c, volta, ampere, hopper, lowered;
};

std::vector<Vector> four_wide() {
  const Halves x(4, 0x0C00), y(4, 0x0800);
  const Halves p{0x3E00, 0x3E00}, q{0x3E00, 0xBE00};
  const std::uint32_t one = 0x3F800000, nan = 0x7FFFFFFF;
  return {
      {1, x, x, one, one, 0x3F800002, 0x3F800002, 0x3F800002},
      {2, x, y, one, one, one, 0x3F800001, 0x3F800001},
      {3, {0x0E00}, {0x0C00}, one, one, one, one, 0x3F800001},
      {4, {0x0C00}, {0x8C00}, one, one, 0x3F7FFFFF, 0x3F7FFFFF, 0x3F7FFFFF},
      {5, {0x0C00}, {0x8800}, one, one, one, 0x3F7FFFFF, one},
      {6, p, q, 0x33800000, 0, 0x33800000, 0x33800000, 0x33800000},
      {7, p, q, 0x33000000, 0, 0, 0x33000000, 0x33000000},
      {8, p, q, 0x32800000, 0, 0, 0, 0x32800000},
      {9, {0x0001, 0x0400}, {0x3C00, 0x0001}, 0, 0x33800000, 0x33800200, 0x33800200, 0x33800200},
      {10, {0x0001, 0x0200}, {0x3C00, 0x0001}, 0, 0x33800000, 0x33800000, 0x33800100, 0x33800100},
      {11, {0x8000}, {0x3C00}, 0x80000000, 0, 0, 0, 0},
      {12, {0x0000}, {0x0000}, 1, 1, 1, 1, 1},
      {13, {0x7C00}, {0x0000}, 0, nan, nan, nan, nan},
  };
}

std::uint32_t sum(Model model, Halves a, Halves b, std::uint32_t c, std::size_t width) {
  a.resize(width);
  b.resize(width);
  return fused_sum(model, a, b, c);
}

TEST(Vectors, OneToThirteen) {
  for (const Vector& v : four_wide()) {
    SCOPED_TRACE(v.number);
    EXPECT_EQ(sum(Model::volta, v.a, v.b, v.c, 4), v.volta);
    EXPECT_EQ(sum(Model::turing, v.a, v.b, v.c, 4), v.volta);
    EXPECT_EQ(sum(Model::turing, v.a, v.b, v.c, 8), v.ampere);
    EXPECT_EQ(sum(Model::ampere, v.a, v.b, v.c, 8), v.ampere);
    EXPECT_EQ(sum(Model::ampere, v.a, v.b, v.c, 16), v.ampere);
    EXPECT_EQ(sum(Model::hopper, v.a, v.b, v.c, 8), v.hopper);
    EXPECT_EQ(sum(Model::hopper, v.a, v.b, v.c, 16), v.hopper);
    EXPECT_EQ(sum(Model::fma_lowered, v.a, v.b, v.c, 4), v.lowered);
  }
}

// Measured on an H200 (driver 580.159), m8n8k4 in sm_90 code: products that are all -0 do not keep c = -0.
TEST(Vectors, LoweredSumOfNegativeZerosIsPositive) {
  const Halves a{0x8000, 0x8000, 0x0000, 0x0000}, b{0x0000, 0x0000, 0x8000, 0xDE14};
  EXPECT_EQ(fused_sum(Model::fma_lowered, a, b, 0x80000000), 0u);
}

TEST(Vectors, FourteenTellsAmpereFromHopper) {
  Halves a(16), b(16);
  a[0] = 0x3C00, b[0] = 0xBC00;
  a[8] = 0x0200, b[8] = 0x0200;
  EXPECT_EQ(fused_sum(Model::ampere, a, b, 0x3F800000), 0x30800000u);
  EXPECT_EQ(fused_sum(Model::hopper, a, b, 0x3F800000), 0u);
}

TEST(Vectors, FifteenIsOneStep) {
  Halves a(8), b(8);
  a[0] = 0x3C00, b[0] = 0xBC00;
  a[4] = 0x0200, b[4] = 0x0200;
  for (const Model model : {Model::turing, Model::ampere, Model::hopper}) {
    EXPECT_EQ(fused_sum(model, a, b, 0x3F800000), 0u);
  }
}

}  // namespace
}  // namespace quadpair::reference
