// The rule that proves a row of screening safe: no false "certain", and not an empty one.
#include "reference/oracle/screening.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "reference/gemm/gemm.hpp"
#include "reference/lm_head/candidates.hpp"
#include "reference/lm_head/dot.hpp"
#include "reference/qpn8/weights.hpp"

namespace quadpair::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One chain over slices of four steps: any plan will do, the rule takes it as it is.
AccumulationPlan plan_of(std::uint32_t k) {
  AccumulationPlan plan;
  plan.unit_k = 4;
  plan.steps = {{0, {0, 1, 2, 3}}};
  plan.slices = {0, k / 8, k / 4};
  return plan;
}

/// A head with everything that follows from it, screened with `kept` candidates in all.
struct Screened {
  std::uint32_t n, k;
  std::vector<Half> head, x, decoded, logits;
  std::vector<std::uint32_t> candidates;
  std::vector<float> dense;
  double bound = 0;

  Screened(std::vector<Half> weights, std::uint32_t rows, std::vector<Half> activations, std::uint32_t kept)
      : n(rows),
        k(static_cast<std::uint32_t>(activations.size())),
        head(std::move(weights)),
        x(std::move(activations)) {
    const Fp8Matrix fp8 = quantize_fp8(head, n, k);
    decoded = decode_qpn8({n, k, Fp8Scales::channel, fp8.codes, fp8.scales});
    const AccumulationPlan plan = plan_of(k);
    logits = GemmMatrix(decoded, n, k).gemm(x.data(), 1, k, plan, Model::volta);
    candidates = screened(logits.data(), 1, n, n, n, kept);
    dense = dense_logits(head, n, k, x.data(), 1, k, {});
    bound = dropped_bound(logits, candidates, screening_errors(head, decoded, n, plan, Model::volta, {}),
                          row_norm(x));
  }

  /// The best kept exact logit, and the best dropped one.
  double best_kept() const { return best_of(true); }
  double best_dropped() const { return best_of(false); }
  bool certain() const { return best_kept() > bound; }

 private:
  double best_of(bool is_kept) const {
    double best = -infinity;
    for (std::uint32_t id = 0; id < n; ++id)
      if ((std::ranges::find(candidates, id) != candidates.end()) == is_kept)
        best = std::max(best, double{dense[id]});
    return best;
  }
};

TEST(Screening, ErrorsCoverEveryLogitOfRandomHeads) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  for (int round = 0; round < 20; ++round) {
    constexpr std::uint32_t n = 200, k = 256;
    const float size = std::ldexp(1.0F, round - 14);  // down to FP16 subnormals
    std::vector<Half> head(n * k), x(k);
    for (Half& w : head) w = to_half(size * normal(generator));
    for (Half& v : x) v = to_half(normal(generator) / size * 0.01F);
    const Screened s(head, n, x, 8);
    const auto errors = screening_errors(s.head, s.decoded, n, plan_of(k), Model::volta, {});
    const auto sums = GemmMatrix(s.decoded, n, k).sums(x.data(), 1, k, plan_of(k), Model::volta);
    double tightest = infinity;
    for (std::uint32_t id = 0; id < n; ++id) {
      const double off = std::fabs(double{s.dense[id]} - double{sums[id]});
      ASSERT_LE(off, errors[id] * row_norm(x)) << id;
      tightest = std::min(tightest, errors[id] * row_norm(x) / std::max(off, 1e-30));
    }
    ASSERT_LE(s.best_dropped(), s.bound);
    EXPECT_LT(tightest, 100);  // the bound is of the errors' order
  }
}

/// Row 0: weights just below the midpoint above a code, all of which lose, in line with x; other rows: codes,
/// exact, 1.125 at `percent` of a hundred k and 1 at the others. Every row has a weight that fixes its scale
/// at 2^-8, where x is 0.
Screened against_row_0(std::uint32_t percent, std::uint32_t kept) {
  constexpr std::uint32_t n = 10, k = 256;
  const float scale = 0x1p-8F;
  std::vector<Half> head(n * k), x(k, to_half(1.0F));
  x[0] = 0;
  for (std::uint32_t row = 0; row < n; ++row)
    for (std::uint32_t i = 1; i < k; ++i)
      head[row * k + i] = to_half(scale * (row == 0 ? 1.0615F : (i % 100 < percent ? 1.125F : 1.0F)));
  for (std::uint32_t row = 0; row < n; ++row) head[row * k] = to_half(448 * scale);
  return {head, n, x, kept};
}

TEST(Screening, AnAdversarialHeadIsNeverCalledCertain) {
  int lost = 0;
  for (std::uint32_t percent = 2; percent < 100; percent += 2) {
    const Screened s = against_row_0(percent, 4);
    const bool row_0_is_best = s.best_dropped() > s.best_kept();
    lost += row_0_is_best ? 1 : 0;
    EXPECT_FALSE(row_0_is_best && s.certain()) << percent;
  }
  EXPECT_GT(lost, 10);  // the screening does lose its best row
}

TEST(Screening, ALogitFarAboveTheOthersIsCertain) {
  constexpr std::uint32_t n = 100, k = 256;
  std::mt19937 generator(2);
  std::normal_distribution<float> normal;
  std::vector<Half> head(n * k), x(k);
  for (Half& w : head) w = to_half(0.02F * normal(generator));
  for (std::uint32_t i = 0; i < k; ++i) x[i] = to_half(to_float(head[5 * k + i]) * 50);
  EXPECT_TRUE(Screened(head, n, x, 8).certain());
  std::copy_n(head.begin() + 5 * k, k, head.begin() + 50 * k);  // an equal one is dropped
  EXPECT_FALSE(Screened(head, n, x, 1).certain());
}

TEST(Screening, WhatCannotBeSaid) {
  const std::vector<Half> logits = {0x3C00, 0x4000, 0x0000}, infinite = {0x3C00, 0x4000, 0xFC00},
                          nan = {0x3C00, 0x4000, 0x7FFF};
  const std::vector<std::uint32_t> kept = {1, 0xFFFFFFFF}, all = {0, 1, 2};
  const std::vector<double> errors = {0.25, 0.5, 0.125}, unknown = {0.25, 0.5, infinity};
  // Row 0: 1 + half a unit (2^-11) + 0.25 . 2; the bound errs upwards by FP64 roundings alone.
  EXPECT_NEAR(dropped_bound(logits, kept, errors, 2), 1.5 + 0x1p-11, 1e-12);
  EXPECT_GE(dropped_bound(logits, kept, errors, 2), 1.5 + 0x1p-11);
  EXPECT_EQ(dropped_bound(logits, all, errors, 2), -infinity);
  EXPECT_EQ(dropped_bound(logits, kept, unknown, 2), infinity);
  EXPECT_EQ(dropped_bound(logits, kept, errors, infinity), infinity);
  EXPECT_EQ(dropped_bound(nan, kept, errors, 2), infinity);
  EXPECT_NEAR(dropped_bound(infinite, kept, errors, 2), 1.5 + 0x1p-11, 1e-12);
  const std::vector<Half> x = {0x3C00, 0x0001, 0x0000, 0xC000};
  EXPECT_NEAR(row_norm(x), std::sqrt(5 + 0x1p-28), 1e-9);  // a subnormal counts as 2^-14
  EXPECT_EQ(row_norm(std::vector<Half>{0x3C00, 0x7C00}), infinity);
  EXPECT_EQ(row_norm(std::vector<Half>{0x3C00, 0x7E00}), infinity);
}

}  // namespace
}  // namespace quadpair::reference
