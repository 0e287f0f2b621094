// Committed rows against every model: those measured on GPUs, and MMA-Sim's (see tests/data).
#include "harness/probe/match.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace quadpair::probe {
namespace {

using enum reference::Model;
using Models = std::vector<reference::Model>;

struct Source {
  const char* file;
  std::size_t width, rows;
  Models explained, others;

  friend std::ostream& operator<<(std::ostream& out, const Source& s) { return out << s.file; }
};

class DataFile : public testing::TestWithParam<Source> {};

TEST_P(DataFile, IsExplainedByTheRightModelsAlone) {
  const Source& source = GetParam();
  const cases::MeasuredRows rows =
      cases::read_measured_rows(std::string(QUADPAIR_TEST_DATA "/data/") + source.file);
  EXPECT_EQ(rows.width, source.width);
  const std::vector<Match> matches = match(rows);
  EXPECT_EQ(explaining(matches), source.explained);
  Models others;
  for (const Match& m : matches) {
    EXPECT_EQ(m.rows, source.rows);
    if (m.explains()) continue;
    others.push_back(m.model);
    EXPECT_GT(m.rows - m.matched, 100u) << to_string(m.model);
  }
  EXPECT_EQ(others, source.others);
}

INSTANTIATE_TEST_SUITE_P(
    Measured, DataFile,
    testing::Values(Source{"tensor-core/v100-f16-f32-k4.txt", 4, 2000, {volta, turing}, {fma_lowered}},
                    Source{"tensor-core/a100-f16-f32-k8.txt", 8, 2000, {turing, ampere}, {hopper}},
                    Source{"tensor-core/ada-f16-f32-k8.txt", 8, 2000, {turing, ampere}, {hopper}},
                    Source{"tensor-core/h100-f16-f32-k16.txt", 16, 2000, {hopper}, {ampere}},
                    Source{"tensor-core/h200-f16-f32-k16.txt", 16, 2000, {hopper}, {ampere}},
                    Source{"tensor-core/b200-f16-f32-k16.txt", 16, 2000, {hopper}, {ampere}}));

INSTANTIATE_TEST_SUITE_P(
    MmaSim, DataFile,
    testing::Values(Source{"mma-sim/volta-m8n8k4.txt", 4, 1440, {volta, turing}, {fma_lowered}},
                    Source{"mma-sim/turing-m8n8k4.txt", 4, 1440, {volta, turing}, {fma_lowered}},
                    Source{"mma-sim/turing-m16n8k8.txt", 8, 1440, {turing, ampere}, {hopper}},
                    Source{"mma-sim/ampere-m16n8k16.txt", 16, 1440, {ampere}, {hopper}},
                    Source{"mma-sim/hopper-m16n8k16.txt", 16, 1440, {hopper}, {ampere}}));

// 1 . 1 + 1 is 2 in every model; 3 is not.
TEST(Match, OneWrongRowIsCounted) {
  cases::MeasuredRow row;
  row.a[0] = row.b[0] = 0x3C00;
  row.c = 0x3F800000, row.d = 0x40000000;
  cases::MeasuredRow wrong = row;
  wrong.d = 0x40400000;
  for (const Match& m : match({4, {row, wrong, row}})) {
    EXPECT_EQ(m.rows, 3u);
    EXPECT_EQ(m.matched, 2u);
    EXPECT_FALSE(m.explains());
  }
  EXPECT_EQ(explaining(match({4, {row}})), (Models{volta, turing, fma_lowered}));
}

TEST(Match, NoRowsExplainNothing) {
  EXPECT_EQ(explaining(match({16, {}})), Models{});
}

}  // namespace
}  // namespace quadpair::probe
