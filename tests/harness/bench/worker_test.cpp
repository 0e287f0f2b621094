// What a worker measured must reach the benchmark to the last bit.
#include "harness/bench/worker.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/json_read.hpp"

namespace quadpair::bench {
namespace {

Result a_result() {
  Result result;
  result.record.id = "qpn2_gemm/x/m9";
  result.record.status = reports::Status::passed;
  result.record.kernels.push_back({"bench/stream:stream", "sm90", "ab", 32, 0, "12.8", "--fmad=false"});
  Comparison c;
  c.record.id = result.record.id;
  c.record.candidate = "qpn2_gemm@sm90, early start";
  c.record.control = "stream";
  c.record.control_route = "bench/stream:stream@sm90";
  c.record.unit = "seconds";
  c.record.sampling = "cold: 18 nodes a graph over 3 tensors, 10 replays a sample, at the power cap";
  c.record.ratio = std::nextafter(1.3, 2);
  c.record.ratio_low = 1.0 / 3;
  c.record.ratio_high = 0.1;
  c.record.aa_ratio = 1;
  c.record.samples = 32;
  c.record.dropped = 4;
  c.record.bytes = std::uint64_t{1} << 40;
  c.record.ceiling = 4.123456789012345e12;
  c.record.verdict = "slower";
  c.samples = {{timing::Side::control, 0, 0, 1.1e-6 / 3, 1500, false, false},
               {timing::Side::candidate, 7, 3, 5e-324, 0, true, true}};
  c.rounds = {{1e-6 / 3, 2e-6 / 3, 3e-6 / 7, 4e-6 / 7}};
  c.early_start = true;
  c.steady = false;
  result.comparison = c;
  return result;
}

TEST(BenchWorker, AnAnswerHasAllOfTheResult) {
  const Result sent = a_result(), got = answer_from_text(answer_text(sent));
  EXPECT_EQ(got.record.id, sent.record.id);
  EXPECT_EQ(got.record.status, sent.record.status);
  ASSERT_EQ(got.record.kernels.size(), 1u);
  EXPECT_EQ(got.record.kernels[0].name, "bench/stream:stream");
  const Comparison &s = *sent.comparison, &g = got.comparison.value();
  EXPECT_EQ(g.record.candidate, s.record.candidate);
  EXPECT_EQ(g.record.control_route, s.record.control_route);
  EXPECT_EQ(g.record.sampling, s.record.sampling);
  EXPECT_EQ(g.record.ratio, s.record.ratio);
  EXPECT_EQ(g.record.ratio_low, s.record.ratio_low);
  EXPECT_EQ(g.record.ceiling, s.record.ceiling);
  EXPECT_EQ(g.record.candidate_median, std::nullopt);
  EXPECT_EQ(g.record.bytes, s.record.bytes);
  ASSERT_EQ(g.samples.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(g.samples[i].side, s.samples[i].side);
    EXPECT_EQ(g.samples[i].round, s.samples[i].round);
    EXPECT_EQ(g.samples[i].order, s.samples[i].order);
    EXPECT_EQ(g.samples[i].seconds, s.samples[i].seconds);
    EXPECT_EQ(g.samples[i].sm_mhz, s.samples[i].sm_mhz);
    EXPECT_EQ(g.samples[i].throttled, s.samples[i].throttled);
    EXPECT_EQ(g.samples[i].counted, s.samples[i].counted);
  }
  ASSERT_EQ(g.rounds.size(), 1u);
  EXPECT_EQ(g.rounds[0].control_first, 1e-6 / 3);
  EXPECT_EQ(g.rounds[0].candidate_first, 2e-6 / 3);
  EXPECT_EQ(g.rounds[0].candidate_second, 3e-6 / 7);
  EXPECT_EQ(g.rounds[0].control_second, 4e-6 / 7);
  EXPECT_TRUE(g.early_start);
  EXPECT_FALSE(g.steady);
  EXPECT_FALSE(g.counted);
}

TEST(BenchWorker, CountsAndCasesWithoutAComparisonToo) {
  Result counted = a_result();
  counted.comparison->counted = Counted{~std::uint64_t{0}, 3};
  const Result got = answer_from_text(answer_text(counted));
  EXPECT_EQ(got.comparison.value().counted.value().candidate, ~std::uint64_t{0});
  EXPECT_EQ(got.comparison->counted->control, 3u);
  Result failed = a_result();
  failed.comparison.reset();
  EXPECT_FALSE(answer_from_text(answer_text(failed)).comparison);
}

TEST(BenchWorker, NonsenseIsNoAnswer) {
  for (const std::string text : {"", "nonsense", "[]", "{}", R"({"case":1})"})
    EXPECT_THROW(answer_from_text(text), reports::ReadError) << text;
  std::string cut = answer_text(a_result());
  cut.replace(cut.find("\"rounds\""), 8, "\"round\"");
  EXPECT_THROW(answer_from_text(cut), reports::ReadError);
}

TEST(BenchWorker, WhatNoCaseCanDoWithoutIsSaid) {
  EXPECT_THROW(answer_from_text(R"({"unavailable":"no L2"})"), device::Unavailable);
}

}  // namespace
}  // namespace quadpair::bench
