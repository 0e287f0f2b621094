#include "reference/oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/gemm/gemm.hpp"
#include "reference/lm_head/dot.hpp"
#include "reference/oracle/bound.hpp"
#include "tests/reference/gemm/gemm_cases.hpp"

namespace quadpair::reference::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The exact dot product of finite FP16 vectors: all products are multiples of 2^-48, below 2^32.
double exact_dot(const Half* a, const Half* b, std::size_t k) {
  __int128 units = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const auto left = static_cast<__int128>(std::ldexp(static_cast<double>(to_float(a[i])), 24));
    const auto right = static_cast<__int128>(std::ldexp(static_cast<double>(to_float(b[i])), 24));
    units += left * right;
  }
  return std::ldexp(static_cast<double>(units), -48);
}

OracleResult oracle(const Operands& o, const AccumulationPlan& plan, Model model) {
  return oracle_gemm(o.matrix(), o.x.data(), o.m, o.ldx, plan, model);
}

std::size_t outside(const OracleResult& result, const std::vector<Half>& actual) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < actual.size(); ++i)
    if (!within(result.value[i], result.bound[i], actual[i])) ++count;
  return count;
}

class EveryModel : public testing::TestWithParam<Model> {};

INSTANTIATE_TEST_SUITE_P(Oracle, EveryModel, testing::ValuesIn(all_models), [](const auto& model) {
  std::string name{to_string(model.param)};
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EveryModel, ValuesAreTheExactSums) {
  for (const Fill fill : {Fill::normal, Fill::any_finite, Fill::cancelling, Fill::subnormal}) {
    const Operands o(fill, 3, 140, 512, 520, 1, 1);
    const OracleResult result = oracle(o, plan_for(GetParam(), 512, 8, 2), GetParam());
    const std::vector<Half> weights = decode_qpn2(o.view());
    for (std::size_t row = 0; row < o.m; ++row) {
      for (std::size_t column = 0; column < o.n; ++column) {
        const Half* const x = o.x.data() + row * o.ldx;
        const Half* const w = weights.data() + column * o.k;
        double magnitude = 0;
        for (std::size_t i = 0; i < o.k; ++i) magnitude += std::fabs(to_float(x[i]) * to_float(w[i]));
        ASSERT_LE(std::fabs(result.value[row * o.n + column] - exact_dot(x, w, o.k)),
                  512 * 0x1p-53 * magnitude);
      }
    }
  }
}

/// The largest share of its bound that a FP32 sum's error takes, before rounding to FP16 hides it. None may
/// pass it.
double largest_share(const Operands& o, const AccumulationPlan& plan, Model model) {
  const std::vector<Half> weights = decode_qpn2(o.view());
  const std::vector<double> factors = error_weights(plan, model);
  const std::vector<float> sums = scalar_sums(o, plan, model);
  double largest = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Half* const x = o.x.data() + i / o.n * o.ldx;
    const Half* const w = weights.data() + i % o.n * o.k;
    double bound = 0;
    for (std::size_t k = 0; k < o.k; ++k) {
      const double a = std::fabs(to_float(x[k])), b = std::fabs(to_float(w[k]));
      if (a != 0 && b != 0) bound += factors[k] * std::max(a, 0x1p-14) * std::max(b, 0x1p-14);
    }
    const double error = std::fabs(sums[i] - exact_dot(x, w, o.k));
    EXPECT_LE(error, bound) << to_string(plan) << ", element " << i;
    if (error > 0) largest = std::max(largest, error / bound);
  }
  return largest;
}

constexpr Fill finite_fills[] = {Fill::normal,    Fill::any_finite,         Fill::cancelling,
                                 Fill::subnormal, Fill::subnormal_by_large, Fill::full_significands};

TEST_P(EveryModel, SumsAreWithinTheErrorOfTheirPlan) {
  double largest = 0;
  for (const Fill fill : finite_fills) {
    for (const std::uint32_t split : {1U, 8U, 32U}) {
      const Operands o(fill, 4, 40, 1024, 1024, 1, 2);
      const AccumulationPlan plan = plan_for(GetParam(), 1024, split, split == 8 ? 2 : 1);
      largest = std::max(largest, largest_share(o, plan, GetParam()));
    }
  }
  EXPECT_GT(largest, 0.05) << "a bound twenty times too wide";
}

// tm_gemm and dense_prefill sum all of K in one chain, the longest that there is. Where all products are
// positive every truncation errs the same way, as the bound fears; roundings to nearest never do.
TEST_P(EveryModel, SumsOfOneLongChainAreWithinTheirError) {
  const AccumulationPlan plan = plan_for(GetParam(), 5120, 1, 1);
  for (const Fill fill : finite_fills)
    largest_share(Operands(fill, 3, 12, 5120, 5120, 1, 7), plan, GetParam());
  Operands positive(Fill::normal, 3, 12, 5120, 5120, 1, 9);
  for (Half& x : positive.x) x &= 0x7FFF;
  for (std::uint8_t& pair : positive.codes) pair &= 0x77;
  EXPECT_GT(largest_share(positive, plan, GetParam()), GetParam() == Model::fma_lowered ? 0.001 : 0.1);
}

TEST_P(EveryModel, ResultsAreWithinTheBound) {
  for (const Fill fill : all_fills) {
    const Operands o(fill, 9, 150, 512, 515, 2, 3);
    const AccumulationPlan plan = plan_for(GetParam(), 512, 8, 2);
    const GemmMatrix matrix = o.matrix();
    EXPECT_EQ(outside(oracle(o, plan, GetParam()), matrix.gemm(o.x.data(), o.m, o.ldx, plan, GetParam())), 0)
        << to_string(fill);
    const OracleResult gated = oracle_gated(o.matrix(), o.x.data(), o.m, o.ldx, plan, GetParam());
    EXPECT_EQ(outside(gated, matrix.gated(o.x.data(), o.m, o.ldx, plan, GetParam())), 0) << to_string(fill);
  }
}

/// Applies a fault to every result and counts the share that the oracle notices.
template <class Fault>
double noticed(const OracleResult& oracle, const std::vector<Half>& results, const Fault& fault) {
  std::vector<Half> damaged(results.size());
  std::ranges::transform(results, damaged.begin(), fault);
  return static_cast<double>(outside(oracle, damaged)) / static_cast<double>(results.size());
}

TEST_P(EveryModel, FaultsAreOutsideTheBound) {
  const Operands o(Fill::normal, 8, 128, 1536, 1536, 2, 4);
  const AccumulationPlan plan = plan_for(GetParam(), 1536, 8, 2);
  const GemmMatrix matrix = o.matrix();
  const auto plain = matrix.gemm(o.x.data(), o.m, o.ldx, plan, GetParam());
  const auto gated = matrix.gated(o.x.data(), o.m, o.ldx, plan, GetParam());
  const auto of_plain = oracle(o, plan, GetParam());
  const auto of_gated = oracle_gated(matrix, o.x.data(), o.m, o.ldx, plan, GetParam());
  for (const auto& [result, expected] : {std::pair(&plain, &of_plain), std::pair(&gated, &of_gated)}) {
    EXPECT_GT(noticed(*expected, *result, [](Half h) { return to_half(1.05F * to_float(h)); }), 0.9);
    EXPECT_GT(noticed(*expected, *result, [](Half h) { return static_cast<Half>(h ^ 0x8000); }), 0.97);
    EXPECT_GT(noticed(*expected, *result, [](Half) { return Half{0}; }), 0.97);
    EXPECT_EQ(noticed(*expected, *result, [](Half) { return half_nan; }), 1);
    EXPECT_EQ(noticed(*expected, *result, [](Half) { return Half{0x7C00}; }), 1);
    auto one = *result;
    one[result->size() / 2] = to_half(to_float(one[result->size() / 2]) + 0.5F);
    EXPECT_EQ(outside(*expected, one), 1);
    auto swapped = *result;
    std::ranges::swap_ranges(std::span(swapped).first(64), std::span(swapped).last(64));
    EXPECT_GT(outside(*expected, swapped), 100);
  }
}

/// The share of results that the oracle of `o` notices when they are those of other weights.
template <class Fault>
double noticed_weights(const Operands& o, const AccumulationPlan& plan, Model model, const Fault& fault) {
  std::vector<Half> weights = decode_qpn2(o.view());
  for (std::uint32_t row = 0; row < o.n; ++row) fault(weights.data() + std::size_t{row} * o.k);
  const std::vector<Half> actual = GemmMatrix(weights, o.n, o.k).gemm(o.x.data(), o.m, o.ldx, plan, model);
  return static_cast<double>(outside(oracle(o, plan, model), actual)) / static_cast<double>(actual.size());
}

// The bound grows with the chain, so what it still tells is worth a test of its own: faults of a tile, a
// group and a run of k, each of a small part of the sum.
TEST_P(EveryModel, FaultsOfOneLongChainAreOutsideTheBound) {
  const Operands o(Fill::normal, 16, 64, 5120, 5120, 1, 8);
  const AccumulationPlan plan = plan_for(GetParam(), 5120, 1, 1);
  const auto share = [&](const auto& fault) { return noticed_weights(o, plan, GetParam(), fault); };
  EXPECT_EQ(share([](Half*) {}), 0);
  EXPECT_GT(share([](Half* w) { std::fill_n(w + 5056, 64, Half{0}); }), 0.7) << "the last 64 k dropped";
  EXPECT_GT(share([](Half* w) { std::copy_n(w + 1024, 64, w + 1088); }), 0.7) << "a stage used twice";
  EXPECT_GT(share([](Half* w) {
              for (std::size_t k = 320; k < 336; ++k) w[k] = mul(w[k], 0x4400);
            }),
            0.7)
      << "a block scale four times too large";
  EXPECT_GT(share([](Half* w) {
              for (std::size_t k = 0; k < 128; k += 2) std::swap(w[k], w[k + 1]);
            }),
            0.7)
      << "nibbles of 128 k swapped";
}

TEST(Oracle, IsSilentOnlyWhereFiniteArithmeticEnds) {
  const Operands o(Fill::special, 16, 64, 512, 512, 1, 5);
  const AccumulationPlan plan = sm70_plan(512, 8, 1);
  const OracleResult result = oracle(o, plan, Model::volta);
  const auto weights = decode_qpn2(o.view());
  const auto finite = [](const Half* row) {
    return std::none_of(row, row + 512, [](Half h) { return (h & 0x7C00) == 0x7C00; });
  };
  int silent = 0;
  for (std::size_t i = 0; i < result.bound.size(); ++i) {
    const bool speaks = finite(o.x.data() + i / 64 * 512) && finite(weights.data() + i % 64 * 512);
    ASSERT_EQ(std::isfinite(result.bound[i]), speaks) << i;
    silent += speaks ? 0 : 1;
  }
  EXPECT_GT(silent, 0);
  EXPECT_LT(silent, static_cast<int>(result.bound.size()));
}

TEST(DenseOracle, ValuesAreExactAndBoundsHold) {
  for (const Fill fill : all_fills)
    for (const std::uint32_t k : {64U, 1024U}) {
      const Operands o(fill, 5, 70, k, k + 8, 1, 11);
      const std::vector<Half> weights = decode_qpn2(o.view());
      const OracleResult oracle = oracle_dense(o.matrix(), o.x.data(), o.m, o.ldx, DotPlan{});
      const std::vector<float> logits = dense_logits(weights, o.n, k, o.x.data(), o.m, o.ldx, DotPlan{});
      for (std::size_t i = 0; i < logits.size(); ++i) {
        ASSERT_TRUE(number_within(oracle.value[i], oracle.bound[i], logits[i]))
            << to_string(fill) << " " << i;
        if (!std::isfinite(oracle.value[i])) {
          ASSERT_EQ(oracle.bound[i], infinity);
          continue;
        }
        const Half* const x = o.x.data() + i / o.n * o.ldx;
        const Half* const w = weights.data() + i % o.n * k;
        double magnitude = 0;
        for (std::size_t j = 0; j < k; ++j) magnitude += std::fabs(to_float(x[j]) * to_float(w[j]));
        const double exact = exact_dot(x, w, k);
        ASSERT_LE(std::fabs(oracle.value[i] - exact), k * 0x1p-53 * magnitude);
        ASSERT_LE(std::fabs(logits[i] - exact), oracle.bound[i]);
      }
    }
}

// Lanes of 8 k, 256 k a step: of 1024 k at most 32 FMAs and 5 additions are on a path.
TEST(DenseOracle, BoundsAreThatOfThePlansRoundings) {
  const std::vector<Half> weights(std::size_t{64} * 1024, 0x3C00), x(1024, 0x3C00);
  const OracleResult oracle = oracle_dense(GemmMatrix(weights, 64, 1024), x.data(), 1, 1024, DotPlan{});
  EXPECT_EQ(oracle.value[63], 1024);
  EXPECT_NEAR(oracle.bound[63], 37 * 0x1p-24 * 1024, 37 * 0x1p-24);
}

TEST(DenseOracle, NoticesALogitOfOneProductLess) {
  Operands o(Fill::normal, 4, 64, 512, 512, 1, 12);
  const std::vector<Half> weights = decode_qpn2(o.view());
  const OracleResult oracle = oracle_dense(o.matrix(), o.x.data(), o.m, o.ldx, DotPlan{});
  for (std::size_t row = 0; row < o.m; ++row) o.x[row * o.ldx + 17] = 0;
  const std::vector<float> logits = dense_logits(weights, o.n, o.k, o.x.data(), o.m, o.ldx, DotPlan{});
  std::size_t noticed = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    noticed += number_within(oracle.value[i], oracle.bound[i], logits[i]) ? 0 : 1;
  EXPECT_GT(noticed, logits.size() * 8 / 10);  // a weight in sixteen or so is 0
}

TEST(Oracle, WithinIsFalseForNaN) {
  EXPECT_TRUE(within(1, 0.5, 0x3C00));
  EXPECT_TRUE(within(1, 0.5, 0x3E00)) << "1.5, on the bound";
  EXPECT_FALSE(within(1, 0.5, 0x3E01));
  EXPECT_FALSE(within(1, 0.5, 0x7E00));
  EXPECT_FALSE(within(1, 0.5, half_nan));
  EXPECT_FALSE(within(1, 0.5, 0x7C00));
  EXPECT_FALSE(within(70000, infinity, half_nan)) << "finite operands never give NaN";
  EXPECT_TRUE(within(70000, infinity, 0x7C00));
  EXPECT_TRUE(within(std::nan(""), infinity, half_nan));
}

TEST(Oracle, RefusesShapesThatDisagree) {
  const std::vector<Half> weights(32 * 64), x(64);
  const GemmMatrix matrix(weights, 32, 64), other(weights, 64, 32);
  const AccumulationPlan plan = sm70_plan(64, 1, 1);
  EXPECT_NO_THROW(oracle_gemm(matrix, x.data(), 1, 64, plan, Model::volta));
  EXPECT_THROW(oracle_gemm(other, x.data(), 1, 64, plan, Model::volta), std::invalid_argument);
  EXPECT_THROW(oracle_gemm(matrix, x.data(), 1, 63, plan, Model::volta), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::reference::test
