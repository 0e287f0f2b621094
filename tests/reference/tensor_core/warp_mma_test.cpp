// Whole-warp instructions: fragment layouts as the PTX ISA has them, and every SIMD target against the
// scalar models.
#include "reference/tensor_core/warp_mma.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "reference/formats/fp16.hpp"
#include "tests/reference/tensor_core/fragments.hpp"
#include "tests/reference/tensor_core/operands.hpp"

namespace quadpair::reference {
namespace {

using test::RegisterFile;
using Operands = std::vector<std::uint32_t>;

struct Instruction {
  Model model;
  MmaShape shape;
};
constexpr Instruction instructions[] = {
    {Model::volta, MmaShape::m8n8k4},       {Model::turing, MmaShape::m8n8k4},
    {Model::fma_lowered, MmaShape::m8n8k4}, {Model::ampere, MmaShape::m16n8k16},
    {Model::hopper, MmaShape::m16n8k16},    {Model::turing, MmaShape::m16n8k8},
    {Model::ampere, MmaShape::m16n8k8},     {Model::hopper, MmaShape::m16n8k8}};

/// The CPU's SIMD targets, best first; Highway's scalar one calls the scalar models.
class EveryTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { choose(GetParam()); }
  void TearDown() override { choose(0); }

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

INSTANTIATE_TEST_SUITE_P(Simd, EveryTarget, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

/// Registers 0, 1, 2... in the order of the operands.
Operands distinct_registers(const RegisterFile& file, std::uint32_t count) {
  Operands operands(count);
  for (std::uint32_t i = 0; i < count; ++i) operands[i] = file.offset_of(i);
  return operands;
}

/// D = A.B + C of small integers, exact in every model, laid out and read back by the PTX ISA's statements.
void expect_matrix_product(WarpMma mma, MmaShape shape, std::mt19937_64& random, bool one_hot) {
  const test::RegisterCounts counts = test::register_counts(shape);
  RegisterFile file(counts.operands());
  const Operands operands = distinct_registers(file, counts.operands());
  const std::uint32_t *d = operands.data(), *c = d + counts.d, *a = c + counts.d, *b = a + counts.a;
  const auto small = [&] { return static_cast<int>(random() % 17) - 8; };

  int A[4][16][16] = {}, B[4][16][8] = {}, C[4][16][8] = {};
  const std::uint32_t hot_lane = random() % test::warp, hot_i = random() % (2 * counts.a);
  for (std::uint32_t lane = 0; lane < test::warp; ++lane) {
    for (std::uint32_t i = 0; i < 2 * counts.a; ++i) {
      const test::Element e = test::a_element(shape, lane, i);
      const int value = !one_hot ? small() : lane == hot_lane && i == hot_i ? 1 : 0;
      A[e.matrix][e.row][e.column] = value;
      file.set_half(a[i / 2], lane, i, to_half(static_cast<float>(value)));
    }
    for (std::uint32_t i = 0; i < 2 * counts.b; ++i) {
      const test::Element e = test::b_element(shape, lane, i);
      const int value = one_hot ? static_cast<int>(1 + e.matrix * 256 + e.row * 8 + e.column) : small();
      B[e.matrix][e.row][e.column] = value;
      file.set_half(b[i / 2], lane, i, to_half(static_cast<float>(value)));
    }
    for (std::uint32_t i = 0; i < counts.d; ++i) {
      const test::Element e = test::d_element(shape, lane, i);
      const int value = C[e.matrix][e.row][e.column] = one_hot ? 0 : small();
      file.word(c[i], lane) = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
  }
  mma(file.data(), operands.data());
  for (std::uint32_t lane = 0; lane < test::warp; ++lane) {
    for (std::uint32_t i = 0; i < counts.d; ++i) {
      const test::Element e = test::d_element(shape, lane, i);
      int sum = C[e.matrix][e.row][e.column];
      for (std::uint32_t k = 0; k < products(shape); ++k) {
        sum += A[e.matrix][e.row][k] * B[e.matrix][k][e.column];
      }
      ASSERT_EQ(std::bit_cast<float>(file.word(d[i], lane)), static_cast<float>(sum))
          << "lane " << lane << " element " << i;
    }
  }
}

TEST(WarpMmaScalar, FollowsTheLayoutsOfThePtxIsa) {
  std::mt19937_64 random(3);
  for (const auto& [model, shape] : instructions) {
    SCOPED_TRACE(to_string(model));
    for (int repeat = 0; repeat < 200; ++repeat) {
      expect_matrix_product(warp_mma_scalar(model, shape), shape, random, repeat % 2 == 0);
    }
  }
}

TEST_P(EveryTarget, FollowsTheLayoutsOfThePtxIsa) {
  std::mt19937_64 random(4);
  for (const auto& [model, shape] : instructions) {
    SCOPED_TRACE(to_string(model));
    for (int repeat = 0; repeat < 200; ++repeat) {
      expect_matrix_product(warp_mma(model, shape), shape, random, repeat % 2 == 0);
    }
  }
}

/// Random contents: C, A and B each of one kind, with some zeros among them.
void fill(RegisterFile& file, const Operands& operands, test::RegisterCounts counts,
          std::mt19937_64& random) {
  const auto a_kind = static_cast<test::HalfKind>(random() % test::half_kinds);
  const auto b_kind = static_cast<test::HalfKind>(random() % test::half_kinds);
  const auto c_kind = static_cast<test::FloatKind>(random() % test::float_kinds);
  for (std::uint32_t lane = 0; lane < test::warp; ++lane) {
    for (std::uint32_t i = counts.d; i < 2 * counts.d; ++i) {
      file.word(operands[i], lane) =
          test::random_float(random() % 16 == 0 ? test::FloatKind::zeros : c_kind, random);
    }
    for (std::uint32_t i = 2 * counts.d; i < counts.operands(); ++i) {
      const auto kind = random() % 32 == 0            ? test::HalfKind::zeros
                        : i < 2 * counts.d + counts.a ? a_kind
                                                      : b_kind;
      for (std::uint32_t half = 0; half < 2; ++half) {
        file.set_half(operands[i], lane, half, test::random_half(kind, random));
      }
    }
  }
}

TEST_P(EveryTarget, EqualsScalarModelsOnAllKindsOfOperands) {
  std::mt19937_64 random(5);
  for (const auto& [model, shape] : instructions) {
    const test::RegisterCounts counts = test::register_counts(shape);
    const int outputs = GetParam() == HWY_SCALAR ? 10'000 : 1'000'000;
    const int repeats = outputs / static_cast<int>(counts.d * test::warp);
    for (int repeat = 0; repeat < repeats; ++repeat) {
      RegisterFile actual(counts.operands());
      const Operands operands = distinct_registers(actual, counts.operands());
      fill(actual, operands, counts, random);
      RegisterFile expected = actual;
      warp_mma(model, shape)(actual.data(), operands.data());
      warp_mma_scalar(model, shape)(expected.data(), operands.data());
      for (std::uint32_t i = 0; i < counts.d; ++i) {
        for (std::uint32_t lane = 0; lane < test::warp; ++lane) {
          ASSERT_EQ(actual.word(operands[i], lane), expected.word(operands[i], lane))
              << to_string(model) << " repeat " << repeat << " element " << i << " lane " << lane;
        }
      }
      ASSERT_TRUE(actual == expected) << "an operand other than d was written";
    }
  }
}

// Sixteen products just below 4 and c of their sign leave 32 bits at F = 25: by a little, on either side.
TEST_P(EveryTarget, HopperSumsBeyond32Bits) {
  std::mt19937_64 random(8);
  const test::RegisterCounts counts = test::register_counts(MmaShape::m16n8k16);
  for (int repeat = 0; repeat < 200; ++repeat) {
    RegisterFile actual(counts.operands());
    const Operands operands = distinct_registers(actual, counts.operands());
    const std::uint32_t sign = repeat % 2 == 0 ? 0 : 0x8000;
    for (std::uint32_t lane = 0; lane < test::warp; ++lane) {
      for (std::uint32_t i = 0; i < counts.d; ++i) {
        const std::uint32_t exponent = 122 + random() % 6;  // c from 2^-5 to 2
        actual.word(operands[counts.d + i], lane) =
            (sign << 16) | (exponent << 23) | static_cast<std::uint32_t>(random() & 0x7FFFFF);
      }
      for (std::uint32_t i = 0; i < 2 * counts.a; ++i) {
        actual.set_half(operands[2 * counts.d + i / 2], lane, i, static_cast<Half>(0x3FFF | sign));
      }
      for (std::uint32_t i = 0; i < 2 * counts.b; ++i) {
        actual.set_half(operands[2 * counts.d + counts.a + i / 2], lane, i, 0x3FFF);
      }
    }
    RegisterFile expected = actual;
    warp_mma(Model::hopper, MmaShape::m16n8k16)(actual.data(), operands.data());
    warp_mma_scalar(Model::hopper, MmaShape::m16n8k16)(expected.data(), operands.data());
    ASSERT_TRUE(actual == expected) << "repeat " << repeat;
  }
}

// D may be C, and any of its registers may be one of A or B, or another element's C.
TEST_P(EveryTarget, RegistersMayBeShared) {
  std::mt19937_64 random(6);
  for (const auto& [model, shape] : instructions) {
    const test::RegisterCounts counts = test::register_counts(shape);
    for (int repeat = 0; repeat < 500; ++repeat) {
      RegisterFile shared(counts.operands());
      const Operands apart = distinct_registers(shared, counts.operands());
      fill(shared, apart, counts, random);
      RegisterFile separate = shared;
      Operands operands = apart;
      // d takes a random choice of all registers that hold inputs, or exactly c's.
      const auto inputs = operands.begin() + counts.d;
      Operands targets(inputs, operands.end());
      if (repeat % 4 != 0) std::shuffle(targets.begin(), targets.end(), random);
      std::copy_n(targets.begin(), counts.d, operands.begin());

      warp_mma(model, shape)(shared.data(), operands.data());
      warp_mma_scalar(model, shape)(separate.data(), apart.data());
      for (std::uint32_t i = 0; i < counts.d; ++i) {
        for (std::uint32_t lane = 0; lane < test::warp; ++lane) {
          ASSERT_EQ(shared.word(operands[i], lane), separate.word(apart[i], lane))
              << to_string(model) << " repeat " << repeat << " element " << i << " lane " << lane;
        }
      }
    }
  }
}

TEST(WarpMmaScalar, RegistersMayBeShared) {
  std::mt19937_64 random(7);
  for (const auto& [model, shape] : instructions) {
    const test::RegisterCounts counts = test::register_counts(shape);
    RegisterFile shared(counts.operands());
    const Operands apart = distinct_registers(shared, counts.operands());
    fill(shared, apart, counts, random);
    RegisterFile separate = shared;
    Operands operands = apart;
    std::copy_n(apart.rbegin(), counts.d, operands.begin());  // B's registers, A's and C's last ones
    warp_mma_scalar(model, shape)(shared.data(), operands.data());
    warp_mma_scalar(model, shape)(separate.data(), apart.data());
    for (std::uint32_t i = 0; i < counts.d; ++i) {
      for (std::uint32_t lane = 0; lane < test::warp; ++lane) {
        ASSERT_EQ(shared.word(operands[i], lane), separate.word(apart[i], lane));
      }
    }
  }
}

}  // namespace
}  // namespace quadpair::reference
