// The scalar models against MPFR: seeded operands of every kind, and properties that RapidCheck tries.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "reference/tensor_core/model.hpp"
#include "tests/reference/tensor_core/mpfr_model.hpp"
#include "tests/reference/tensor_core/operands.hpp"

namespace quadpair::reference {
namespace {

using Halves = std::vector<std::uint16_t>;

struct Step {
  Model model;
  int f;
  std::size_t width;
};
constexpr Step steps[] = {{Model::volta, 23, 4},  {Model::turing, 23, 4}, {Model::turing, 24, 8},
                          {Model::ampere, 24, 8}, {Model::hopper, 25, 8}, {Model::hopper, 25, 16}};

std::uint32_t bits_of(double x) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(x));
}

TEST(FusedSum, AllKindsOfOperands) {
  std::mt19937_64 random(1);
  for (int kind = 0; kind < test::half_kinds * test::half_kinds * test::float_kinds; ++kind) {
    const auto a_kind = static_cast<test::HalfKind>(kind % test::half_kinds);
    const auto b_kind = static_cast<test::HalfKind>(kind / test::half_kinds % test::half_kinds);
    const auto c_kind = static_cast<test::FloatKind>(kind / test::half_kinds / test::half_kinds);
    for (const Step& step : steps) {
      for (int repeat = 0; repeat < 20; ++repeat) {
        Halves a(step.width), b(step.width);
        for (auto& x : a) x = test::random_half(a_kind, random);
        for (auto& x : b) x = test::random_half(b_kind, random);
        const std::uint32_t c = test::random_float(c_kind, random);
        ASSERT_EQ(fused_sum(step.model, a, b, c), test::mpfr_truncating_sum(step.f, a, b, c));
        const std::span a4 = std::span(a).first(4), b4 = std::span(b).first(4);
        ASSERT_EQ(fused_sum(Model::fma_lowered, a4, b4, c), test::mpfr_fma_lowered(a4, b4, c));
      }
    }
  }
}

// c = -(the exact sum) +- an ulp or so: what remains is what truncation left.
TEST(FusedSum, Cancellation) {
  std::mt19937_64 random(2);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const Step& step = steps[random() % std::size(steps)];
    Halves a(step.width), b(step.width);
    double sum = 0;
    for (std::size_t i = 0; i < step.width; ++i) {
      a[i] = test::random_half(test::HalfKind::narrow, random);
      b[i] = test::random_half(test::HalfKind::narrow, random);
      sum += test::half_value(a[i]) * test::half_value(b[i]);
    }
    const std::uint32_t c = bits_of(-sum) + static_cast<std::uint32_t>(random() % 5) - 2;
    ASSERT_EQ(fused_sum(step.model, a, b, c), test::mpfr_truncating_sum(step.f, a, b, c));
    const std::span a4 = std::span(a).first(4), b4 = std::span(b).first(4);
    ASSERT_EQ(fused_sum(Model::fma_lowered, a4, b4, c), test::mpfr_fma_lowered(a4, b4, c));
  }
}

rc::Gen<Halves> halves(std::size_t count) {
  return rc::gen::container<Halves>(count, rc::gen::arbitrary<std::uint16_t>());
}

RC_GTEST_PROP(FusedSumProperty, TruncatingStepsEqualMpfr, ()) {
  const Step step = steps[*rc::gen::inRange<std::size_t>(0, std::size(steps))];
  const Halves a = *halves(step.width), b = *halves(step.width);
  const auto c = *rc::gen::arbitrary<std::uint32_t>();
  RC_ASSERT(fused_sum(step.model, a, b, c) == test::mpfr_truncating_sum(step.f, a, b, c));
}

RC_GTEST_PROP(FusedSumProperty, LoweredEqualsMpfr, ()) {
  const Halves a = *halves(4), b = *halves(4);
  const auto c = *rc::gen::arbitrary<std::uint32_t>();
  RC_ASSERT(fused_sum(Model::fma_lowered, a, b, c) == test::mpfr_fma_lowered(a, b, c));
}

RC_GTEST_PROP(FusedSumProperty, AmpereChainsTwoHalves, ()) {
  const Halves a = *halves(16), b = *halves(16);
  const auto c = *rc::gen::arbitrary<std::uint32_t>();
  const std::span x(a), y(b);
  const std::uint32_t first = test::mpfr_truncating_sum(24, x.first(8), y.first(8), c);
  RC_ASSERT(fused_sum(Model::ampere, a, b, c) == test::mpfr_truncating_sum(24, x.last(8), y.last(8), first));
}

// A fused step is one sum: the order of its products does not matter (that of fma-lowered does).
RC_GTEST_PROP(FusedSumProperty, TruncatingStepsHaveNoOrder, ()) {
  const Step step = steps[*rc::gen::inRange<std::size_t>(0, std::size(steps))];
  Halves a = *halves(step.width), b = *halves(step.width);
  const auto c = *rc::gen::arbitrary<std::uint32_t>();
  const std::uint32_t before = fused_sum(step.model, a, b, c);
  const auto i = *rc::gen::inRange<std::size_t>(0, step.width),
             j = *rc::gen::inRange<std::size_t>(0, step.width);
  std::swap(a[i], a[j]);
  std::swap(b[i], b[j]);
  RC_ASSERT(fused_sum(step.model, a, b, c) == before);
}

}  // namespace
}  // namespace quadpair::reference
