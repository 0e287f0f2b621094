// What preparation refuses, naming tensor, row, group and value, and what it reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/common/error.hpp"
#include "kernels/convert/pack_qpn2.hpp"

namespace quadpair::convert {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Matrix {
  std::uint32_t n, k, halves = 1;
  std::vector<std::uint8_t> codes, scales;
  std::vector<float> globals = {1.0f / 4096};

  Matrix(std::uint32_t rows, std::uint32_t columns)
      : n(rows), k(columns), codes(rows * columns / 2), scales(rows * columns / 16, 0x38) {}
  Preparation prepare() const { return prepare_qpn2("layers.0.q", n, k, halves, codes, scales, globals); }
  std::string refusal() const {
    try {
      prepare();
    } catch (const RangeError& error) {
      return error.what();
    }
    return "accepted";
  }
};

TEST(Prepare, BlockScalesThatTheKernelsWouldMisread) {
  for (int byte : {0x7F, 0xFF}) {
    Matrix matrix(40, 128);
    matrix.scales[33 * 8 + 5] = static_cast<std::uint8_t>(byte);
    EXPECT_THAT(matrix.refusal(), AllOf(HasSubstr("layers.0.q"), HasSubstr("row 33"), HasSubstr("group 5"),
                                        HasSubstr(byte == 0x7F ? "0x7F" : "0xFF"), HasSubstr("NaN")));
  }
  for (int byte : {0x80, 0x81, 0xB8, 0xFE}) {
    Matrix matrix(2, 64);
    matrix.scales.back() = static_cast<std::uint8_t>(byte);
    EXPECT_THAT(matrix.refusal(), AllOf(HasSubstr("row 1"), HasSubstr("group 3"), HasSubstr("negative")))
        << byte;
  }
}

TEST(Prepare, GlobalScalesThatAreNoMultipliers) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (float g : {0.0f, -0.0f, -1.0f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
    Matrix matrix(64, 64);
    matrix.globals = {0.25f, g};
    EXPECT_THAT(matrix.refusal(),
                AllOf(HasSubstr("layers.0.q"), HasSubstr("row 32"), HasSubstr("not positive and finite")));
  }
}

TEST(Prepare, GlobalScaleOutsideFp16) {
  Matrix matrix(1, 64);
  matrix.globals = {4.0f};  // 2^16: the least that overflows by far
  EXPECT_THAT(matrix.refusal(), AllOf(HasSubstr("4"), HasSubstr("overflows")));
  matrix.globals = {std::numeric_limits<float>::max()};
  EXPECT_THAT(matrix.refusal(), HasSubstr("overflows"));
  matrix.globals = {std::ldexp(1.0f, -39)};  // 2^-25: the tie that rounds to zero
  EXPECT_THAT(matrix.refusal(), HasSubstr("is 0 in FP16"));
  matrix.scales.assign(4, 0x01);
  matrix.globals = {std::ldexp(1.5f, -39)};
  EXPECT_THAT(matrix.prepare().tile_global, ElementsAre(0x0001));
}

TEST(Prepare, ScaleProductOutsideFp16) {
  Matrix matrix(33, 64);
  matrix.globals = {1.0f};  // G = 2^14: e4m3 up to 3.5 fits, 4 (0x48) does not
  matrix.scales.assign(matrix.scales.size(), 0x46);
  EXPECT_THAT(matrix.prepare().tile_global, ElementsAre(0x7400, 0x7400));
  matrix.scales[32 * 4 + 2] = 0x48;
  EXPECT_THAT(matrix.refusal(), AllOf(HasSubstr("row 32"), HasSubstr("group 2"), HasSubstr("0x48"),
                                      HasSubstr("overflows FP16")));
}

TEST(Prepare, OneGlobalScaleATileOfThePaddedMatrix) {
  Matrix matrix(160, 64);  // halves of 80 rows: three tiles each
  matrix.halves = 2;
  matrix.globals = {0.5f, 0.25f, 0.125f, 1.0f, 2.0f, 0.0625f};
  matrix.scales.assign(matrix.scales.size(), 0x10);
  EXPECT_THAT(matrix.prepare().tile_global, ElementsAre(0x7000, 0x6C00, 0x6800, 0x7400, 0x7800, 0x6400));
  matrix.globals.resize(5);
  EXPECT_THROW(matrix.prepare(), Refused);
  matrix.globals.resize(1);
  EXPECT_THAT(matrix.prepare().tile_global, testing::Each(0x7000));
  EXPECT_EQ(matrix.prepare().tile_global.size(), 6u);

  matrix.globals = {0.5f, 0.5f, 0.5f, 0.5f, 2.0f, 0.5f};  // only up rows 32..63 overflow with 0x40 = 2
  matrix.scales.assign(matrix.scales.size(), 0x40);
  EXPECT_THAT(matrix.refusal(), HasSubstr("row 112"));
}

TEST(Prepare, CountsSubnormalWeights) {
  // e4m3 0x38 = 1, g = 2^-14: G = 1, s = 1, w = e2m1 . 2^-14. Of the magnitudes only 0.5 is below 2^-14.
  Matrix matrix(1, 64);
  matrix.globals = {0x1p-14f};
  for (std::size_t i = 0; i < 8; ++i) matrix.codes[i] = static_cast<std::uint8_t>(0x10 * (2 * i + 1) + 2 * i);
  EXPECT_EQ(matrix.prepare().subnormal_weights, 2u);  // codes 1 and 9
  // g = 2^-17: s = 2^-3, w = e2m1 . 2^-17: every magnitude up to 6 . 2^-17 < 2^-14.
  matrix.globals = {0x1p-17f};
  EXPECT_EQ(matrix.prepare().subnormal_weights, 14u);  // all but the two zeros
}

TEST(Prepare, ShapesAndSizes) {
  Matrix matrix(4, 96);
  EXPECT_THROW(matrix.prepare(), Refused);  // K % 64
  matrix = Matrix(3, 64);
  matrix.halves = 2;
  EXPECT_THROW(matrix.prepare(), Refused);  // N % halves
  matrix = Matrix(4, 64);
  matrix.codes.pop_back();
  EXPECT_THROW(matrix.prepare(), Refused);
  matrix = Matrix(4, 64);
  matrix.scales.push_back(0x38);
  EXPECT_THROW(matrix.prepare(), Refused);
}

}  // namespace
}  // namespace quadpair::convert
