#include "reference/lm_head/dot.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <stdexcept>

namespace quadpair::reference {
namespace {

/// The plan's text, step by step, one lane after another.
float by_definition(const Half* w, const Half* x, std::uint32_t k) {
  float lanes[32] = {};
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t j = 0; 256 * j < k; ++j)
      for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t at = 256 * j + 8 * lane + i;
        if (at < k) lanes[lane] = std::fma(to_float(x[at]), to_float(w[at]), lanes[lane]);
      }
  for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
    float next[32];
    for (std::uint32_t lane = 0; lane < 32; ++lane) next[lane] = lanes[lane] + lanes[lane ^ distance];
    std::copy(std::begin(next), std::end(next), lanes);
  }
  return lanes[0];
}

TEST(DenseLogits, FollowThePlan) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  for (const std::uint32_t k : {8U, 64U, 256U, 384U, 1088U}) {
    constexpr std::uint32_t n = 70, m = 3;
    const std::uint32_t ldx = k + 5;
    std::vector<Half> head(n * k), x(m * ldx);
    for (Half& h : head) h = to_half(normal(generator));
    for (Half& h : x) h = to_half(normal(generator));
    const std::vector<float> logits = dense_logits(head, n, k, x.data(), m, ldx, {});
    for (std::uint32_t row = 0; row < m; ++row)
      for (std::uint32_t id = 0; id < n; ++id)
        ASSERT_EQ(logits[row * n + id], by_definition(&head[id * k], &x[row * ldx], k));
  }
}

TEST(DenseLogits, TheOrderShows) {
  // 2^24 in lane 0, then 1 twice: in the same lane both are lost; each of lanes 1 and 2 alone is lost too,
  // but lanes 1 and 17 are added to each other first... in the tree 1 meets 17 at distance 16.
  constexpr std::uint32_t k = 256;
  std::vector<Half> w(k, 0x3C00), x(k);
  x[0] = 0x6C00, w[0] = 0x6C00;  // 4096 . 4096
  x[1] = x[2] = 0x3C00;
  EXPECT_EQ(dense_logits(w, 1, k, x.data(), 1, k, {})[0], 0x1p24F);
  x[1] = x[2] = 0, x[8] = x[8 * 17] = 0x3C00;
  EXPECT_EQ(dense_logits(w, 1, k, x.data(), 1, k, {})[0], 0x1p24F + 2);
}

TEST(DenseLogits, NanIsCanonicalAndShapesAreChecked) {
  const std::vector<Half> head(64, 0x3C00);
  std::vector<Half> x(64, 0x3C00);
  x[7] = 0xFE01;
  const float value = dense_logits(head, 1, 64, x.data(), 1, 64, {})[0];
  EXPECT_EQ(std::bit_cast<std::uint32_t>(value), 0x7FFFFFFFU);
  EXPECT_THROW(dense_logits(head, 2, 64, x.data(), 1, 64, {}), std::invalid_argument);
  EXPECT_THROW(dense_logits(head, 1, 64, x.data(), 1, 64, {16, 8}), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::reference
