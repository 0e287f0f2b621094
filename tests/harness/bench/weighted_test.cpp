#include "harness/bench/weighted.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace quadpair::bench {
namespace {

struct Measured {
  std::deque<cases::Case> cases;
  std::deque<Comparison> comparisons;
  std::vector<Weighed> all;

  void add(const char* operation, const char* slice, double control, double candidate, bool counted = false) {
    cases::Case c;
    c.operation = operation;
    c.slice = slice;
    c.m = 8;
    c.target = "sm90";
    c.model = "hopper";
    cases.push_back(c);
    Comparison comparison;
    comparison.record.control = "stream";
    comparison.record.ratio = candidate / control;
    if (counted)
      comparison.counted =
          Counted{static_cast<std::uint64_t>(candidate), static_cast<std::uint64_t>(control)};
    else
      comparison.rounds.assign(8, {control, candidate, candidate, control});
    comparisons.push_back(comparison);
    all.push_back({cases.back(), comparisons.back()});
  }
};

/// Five projections; gate and up are missing.
Measured five(bool counted = false) {
  Measured m;
  m.add("qpn2_gemm", "gdn_in", 4, 5, counted);
  m.add("qpn2_gemm", "gdn_out", 2, 3, counted);
  m.add("qpn2_gemm", "attn_qkv", 4, 6, counted);
  m.add("qpn2_gemm", "attn_o", 2, 4, counted);
  m.add("qpn2_gemm", "mlp_down", 5, 7, counted);
  return m;
}

// By hand: 48*5 + 48*3 + 16*6 + 16*4 + 64*7 = 992 over 48*4 + 48*2 + 16*4 + 16*2 + 64*5 = 704.
constexpr double candidate_of_five = 992, control_of_five = 704;

TEST(Weighted, AnEarlyStartIsNamed) {
  Measured m = five();
  m.add("qpn2_gemm", "mlp_gate_up", 7, 9);
  for (Comparison& comparison : m.comparisons) comparison.early_start = true;
  EXPECT_EQ(weighted(m.all, {}).at(0).name, "projections/sm90/hopper/stream/early-start");
}

TEST(Weighted, CountsEachProjectionAsOftenAsTheModelCallsIt) {
  for (const bool counted : {false, true}) {
    Measured m = five(counted);
    m.add("qpn2_gemm", "mlp_gate_up", 7, 9, counted);
    m.add("qpn2_gated", "mlp_gate_up", 7, 10, counted);
    const auto records = weighted(m.all, {});
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].m, 8u);
    EXPECT_EQ(records[0].name, "projections/sm90/hopper/stream");
    EXPECT_DOUBLE_EQ(records[0].ratio, (candidate_of_five + 64 * 9) / (control_of_five + 64 * 7));
    EXPECT_EQ(records[1].name, "projections-gated/sm90/hopper/stream");
    EXPECT_DOUBLE_EQ(records[1].ratio, (candidate_of_five + 64 * 10) / (control_of_five + 64 * 7));
    EXPECT_LE(records[0].ratio_low, records[0].ratio);
    EXPECT_GE(records[0].ratio_high, records[0].ratio);
  }
}

TEST(Weighted, RanksAndLayoutsStandApart) {
  Measured m;
  for (const char* slice :
       {"gdn_in@r2", "gdn_out@r2", "attn_qkv@r2", "attn_o@r2", "mlp_gate_up@r2", "mlp_down@r2"}) {
    for (const char* layout : {"shared", "compact"}) {
      m.add("qpn2_dispatch", slice, 1, std::string_view(layout) == "shared" ? 2 : 3);
      m.cases.back().layout = layout;
    }
  }
  m.add("qpn2_dispatch", "gdn_in@r1", 1, 9);
  m.cases.back().layout = "shared";
  const auto records = weighted(m.all, {});
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].name, "dispatch@r2/sm90/hopper/compact/stream");
  EXPECT_DOUBLE_EQ(records[0].ratio, 3);
  EXPECT_EQ(records[1].name, "dispatch@r2/sm90/hopper/shared/stream");
  EXPECT_DOUBLE_EQ(records[1].ratio, 2);
}

TEST(Weighted, NothingWhereAProjectionIsMissingOrTwiceThere) {
  Measured m = five();
  EXPECT_TRUE(weighted(m.all, {}).empty());
  m.add("qpn2_gated", "mlp_gate_up", 7, 10);
  EXPECT_EQ(weighted(m.all, {}).size(), 1u);
  m.add("qpn2_gemm", "gdn_in", 4, 5);
  EXPECT_TRUE(weighted(m.all, {}).empty());
}

}  // namespace
}  // namespace quadpair::bench
