#include "cases/heads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/error.hpp"
#include "cases/suite.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::cases {
namespace {

/// Root mean squares of a head: of all weights, of the mean row, and of what is left without it.
struct Rms {
  double all = 0, common = 0, own = 0;
};

Rms rms_of(const HeadMatrix& head) {
  std::vector<double> mean(head.k);
  double squares = 0;
  for (std::size_t i = 0; i < head.weights.size(); ++i) {
    const double w = reference::to_float(head.weights[i]);
    squares += w * w;
    mean[i % head.k] += w / head.n;
  }
  double of_mean = 0;
  for (const double m : mean) of_mean += m * m;
  const double all = squares / static_cast<double>(head.weights.size()), common = of_mean / head.k;
  return {std::sqrt(all), std::sqrt(common), std::sqrt(all - common)};
}

TEST(Heads, MadeUpOnesAreLikeWhispers) {
  HeadMatrix made_up{"like a head", "", 2816, 768, 0, 2816, {}};
  draw_head(made_up, RandomStream(1, "head"));
  const Rms real = rms_of(*load_head("whisper.head", 1)), drawn = rms_of(made_up);
  EXPECT_NEAR(drawn.all, real.all, 0.15 * real.all);
  EXPECT_NEAR(drawn.common, real.common, 0.15 * real.common);
  EXPECT_NEAR(drawn.own, real.own, 0.15 * real.own);
}

TEST(Heads, ShardsAreRowsOfTheWhole) {
  const auto whole = load_head("whisper.head", 1);
  EXPECT_EQ(whole->vocabulary, 2816U);
  std::vector<std::uint16_t> joined;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    const std::string name = std::string("whisper.head@r").append(std::to_string(rank));
    const auto shard = load_head(name, 1);
    EXPECT_EQ(shard->first_id, 704 * rank);
    EXPECT_EQ(shard->vocabulary, 2816U);
    EXPECT_EQ(head_shape(name), (SliceShape{704, 768, 1, rank, 4}));
    joined.insert(joined.end(), shard->weights.begin(), shard->weights.end());
  }
  EXPECT_EQ(joined, whole->weights);
}

TEST(Heads, NamesAndShapes) {
  EXPECT_EQ(head_shape("lm_head"), (SliceShape{62080, 5120}));
  EXPECT_FALSE(head_shape("whisper.head@r4"));
  EXPECT_FALSE(head_shape("minilm.0.qkv"));
  EXPECT_THROW(load_head("lm_tail", 1), DataError);
  EXPECT_THROW(load_slice("whisper.head", 1), DataError);
  EXPECT_EQ(load_head("edge.head.few", 3)->weights, load_head("edge.head.few", 3)->weights);
  EXPECT_NE(load_head("edge.head.few", 3)->weights, load_head("edge.head.few", 4)->weights);
}

TEST(Heads, SixCasesATargetAndModelAtProductionSize) {
  const Suite suite = load_suite("lm-head");
  EXPECT_EQ(suite.cases.size(), 6U * 5);
  std::vector<std::string> ids;
  for (const Case& c : suite.cases)
    if (c.model == "hopper") ids.push_back(c.id);
  EXPECT_EQ(ids,
            (std::vector<std::string>{
                "lm_head/lm_head/m1/sm90/hopper/hidden/k16", "lm_head/lm_head/m1/sm90/hopper/hidden/k20",
                "lm_head/lm_head/m1/sm90/hopper/hidden/k21", "lm_head/lm_head/m8/sm90/hopper/hidden/k16",
                "lm_head/lm_head/m8/sm90/hopper/hidden/k20", "lm_head/lm_head/m8/sm90/hopper/hidden/k21"}));
}

}  // namespace
}  // namespace quadpair::cases
