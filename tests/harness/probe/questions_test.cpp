// The chosen questions with the answers worked out by hand, and what random ones can tell.
#include "harness/probe/questions.hpp"

#include <gtest/gtest.h>

#include "harness/probe/match.hpp"

namespace quadpair::probe {
namespace {

using reference::Model;

/// The thirteen sums that every instruction can form, answered by m8n8k4 on volta, m16n8k8 on turing and
/// ampere, hopper, and m8n8k4 lowered to FMAs; then that instruction's own.
constexpr std::uint32_t answers[4][13] = {
    {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000, 0, 0, 0, 0x33800000, 0x33800000, 0, 1,
     0x7FFFFFFF},
    {0x3F800002, 0x3F800000, 0x3F800000, 0x3F7FFFFF, 0x3F800000, 0x33800000, 0, 0, 0x33800200, 0x33800000, 0,
     1, 0x7FFFFFFF},
    {0x3F800002, 0x3F800001, 0x3F800000, 0x3F7FFFFF, 0x3F7FFFFF, 0x33800000, 0x33000000, 0, 0x33800200,
     0x33800100, 0, 1, 0x7FFFFFFF},
    {0x3F800002, 0x3F800001, 0x3F800001, 0x3F7FFFFF, 0x3F800000, 0x33800000, 0x33000000, 0x32800000,
     0x33800200, 0x33800100, 0, 1, 0x7FFFFFFF}};

std::vector<Model> explained(MmaShape shape, int row, std::vector<std::uint32_t> own) {
  Questions questions = chosen_questions(shape);
  EXPECT_EQ(questions.size(), 13 + own.size());
  for (std::size_t i = 0; i < 13; ++i) questions[i].d = answers[row][i];
  for (std::size_t i = 0; i < own.size(); ++i) questions[13 + i].d = own[i];
  return explaining(match({products(shape), questions}));
}

TEST(ChosenQuestions, AnsweredByHandTellTheModelsApart) {
  using enum MmaShape;
  using Models = std::vector<Model>;
  EXPECT_EQ(explained(m8n8k4, 0, {}), (Models{Model::volta, Model::turing}));
  EXPECT_EQ(explained(m8n8k4, 3, {}), Models{Model::fma_lowered});
  EXPECT_EQ(explained(m16n8k8, 1, {0}), (Models{Model::turing, Model::ampere}));
  EXPECT_EQ(explained(m16n8k8, 2, {0}), Models{Model::hopper});
  EXPECT_EQ(explained(m16n8k16, 1, {0x30800000}), Models{Model::ampere});
  EXPECT_EQ(explained(m16n8k16, 2, {0}), Models{Model::hopper});
}

/// Rows of the kind whose sums differ between two models.
std::size_t differing(Kind kind, MmaShape shape, Model one, Model other) {
  std::size_t count = 0;
  for (const cases::MeasuredRow& row : random_questions(shape, kind, 512, 1)) {
    const auto a = std::span(row.a).first(products(shape)), b = std::span(row.b).first(products(shape));
    count += fused_sum(one, a, b, row.c) != fused_sum(other, a, b, row.c) ? 1 : 0;
  }
  return count;
}

TEST(RandomQuestions, KindsTellTheModelsApart) {
  using enum MmaShape;
  for (const Kind kind : {Kind::plain, Kind::wide, Kind::cancelling, Kind::rounding, Kind::subnormal}) {
    SCOPED_TRACE(static_cast<int>(kind));
    EXPECT_GT(differing(kind, m8n8k4, Model::volta, Model::fma_lowered), 25u);
    EXPECT_GT(differing(kind, m16n8k8, Model::ampere, Model::hopper), 25u);
    EXPECT_GT(differing(kind, m16n8k16, Model::ampere, Model::hopper), 25u);
  }
}

TEST(RandomQuestions, KindsAreWhatTheyAreNamedFor) {
  const auto count = [](Kind kind, auto holds) {
    int found = 0;
    for (const cases::MeasuredRow& row : random_questions(MmaShape::m16n8k16, kind, 100, 3))
      for (std::size_t k = 0; k < 16; ++k) found += holds(row.a[k]) + holds(row.b[k]);
    return found;
  };
  const auto special = [](std::uint16_t h) { return (h & 0x7C00) == 0x7C00 ? 1 : 0; };
  const auto zero = [](std::uint16_t h) { return (h & 0x7FFF) == 0 ? 1 : 0; };
  const auto subnormal = [](std::uint16_t h) { return (h & 0x7C00) == 0 && (h & 0x3FF) != 0 ? 1 : 0; };
  EXPECT_EQ(count(Kind::plain, special), 0);
  EXPECT_GT(count(Kind::special, special), 100);
  EXPECT_GT(count(Kind::sparse, zero), 1600);
  EXPECT_GT(count(Kind::subnormal, subnormal), 1500);
  EXPECT_GT(count(Kind::bits, special), 30);
}

TEST(RandomQuestions, FollowTheSeed) {
  const auto rows = [](std::uint64_t seed) {
    return random_questions(MmaShape::m8n8k4, Kind::wide, 20, seed);
  };
  EXPECT_EQ(rows(1), rows(1));
  EXPECT_NE(rows(1), rows(2));
  for (const cases::MeasuredRow& row : rows(1))
    for (std::size_t k = 4; k < 16; ++k) EXPECT_EQ(row.a[k] | row.b[k], 0);
}

}  // namespace
}  // namespace quadpair::probe
