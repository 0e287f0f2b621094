#include "harness/inputs/inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/operators.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::inputs {
namespace {

cases::Case example(const std::string& fill, std::uint32_t m) {
  cases::Case c;
  c.operation = "qpn2_gemm";
  c.slice = "edge.all_codes";
  c.m = m;
  c.fill = fill;
  return c;
}

bool is_nan(std::uint16_t bits) {
  return (bits & 0x7FFF) > 0x7C00;
}

TEST(Inputs, FillNamesAreTheSchemas) {
  const auto schema = nlohmann::json::parse(cases::find_embedded("cases/suites/suite.schema.json")->text());
  const auto known = schema["definitions"]["group"]["properties"]["fills"]["items"]["enum"];
  EXPECT_THAT(fill_names(), ::testing::UnorderedElementsAreArray(known.get<std::vector<std::string>>()));
}

TEST(Inputs, ColumnsPastKAreBait) {
  cases::Case c = example("normal", 5);
  const Inputs tight = make_inputs(c, 1, 0);
  EXPECT_EQ(tight.ldx, 128u);
  EXPECT_EQ(tight.m, 5u);
  EXPECT_EQ(tight.weights->name, "edge.all_codes");
  c.ldx_extra = 24;
  const Inputs longer = make_inputs(c, 1, 0);
  ASSERT_EQ(longer.ldx, 152u);
  ASSERT_EQ(longer.x.size(), 5u * 152);
  for (std::size_t row = 0; row < 5; ++row) {
    EXPECT_TRUE(std::equal(&tight.x[row * 128], &tight.x[row * 128] + 128, &longer.x[row * 152]));
    for (std::size_t i = 128; i < 152; ++i) EXPECT_TRUE(is_nan(longer.x[row * 152 + i]));
  }
}

TEST(Inputs, RowsDependOnSliceFillSeedAndRoundAlone) {
  const Inputs base = make_inputs(example("heavy", 8), 1, 0);
  EXPECT_EQ(base.x, make_inputs(example("heavy", 8), 1, 0).x);
  EXPECT_EQ(base.x, make_inputs(example("heavy", 8), cases::load_slice("edge.all_codes", 1), 1, 0).x);
  cases::Case other = example("heavy", 8);
  other.target = "sm80";
  other.split_k = 16;
  EXPECT_EQ(base.x, make_inputs(other, 1, 0).x);
  const Inputs more = make_inputs(example("heavy", 9), 1, 0);
  EXPECT_TRUE(std::equal(base.x.begin(), base.x.end(), more.x.begin()));
  EXPECT_NE(base.x, make_inputs(example("heavy", 8), 2, 0).x);
  EXPECT_NE(base.x, make_inputs(example("heavy", 8), 1, 1).x);
  EXPECT_NE(base.x, make_inputs(example("normal", 8), 1, 0).x);
}

std::size_t changed_rows(const Inputs& before, const Inputs& now) {
  std::size_t changed = 0;
  for (std::size_t row = 0; row < now.m; ++row) {
    const std::uint16_t* values = &now.x[row * now.ldx];
    changed += !std::equal(values, values + now.weights->k, &before.x[row * now.ldx]);
  }
  return changed;
}

TEST(Inputs, ReplaysChangeTheRowsOfEveryCase) {
  for (const char* name : {"default", "edges"})
    for (const cases::Case& c : cases::load_suite(name).cases) {
      if (c.model != "volta" && c.model != "hopper") continue;  // the others have the same inputs
      if (!cases::takes_activations(c)) continue;
      const auto weights = cases::load_slice(c.slice, 1);
      Inputs before = make_inputs(c, weights, 1, 0);
      for (unsigned round : {1, 2}) {
        Inputs now = make_inputs(c, weights, 1, round);
        // Sentences share their first token, so a few of the real rows are equal.
        const std::size_t wanted = c.fill == "real" ? (3 * c.m + 3) / 4 : c.m;
        ASSERT_GE(changed_rows(before, now), wanted) << c.id << " round " << round;
        before = std::move(now);
      }
    }
}

TEST(Inputs, NoRowsAreNoElements) {
  EXPECT_TRUE(make_inputs(example("normal", 0), 1, 0).x.empty());
}

TEST(Inputs, BytesAreThoseOfAnotherProgram) {
  // Computed by the same definition written in Python.
  const Inputs inputs = make_inputs(example("normal", 1), 1, 2);
  EXPECT_EQ(std::vector<unsigned>(inputs.x.begin(), inputs.x.begin() + 4),
            (std::vector<unsigned>{0xBFA6, 0xBD69, 0x38C0, 0xB151}));
}

TEST(Inputs, UnknownFillsAndSlicesAreRefused) {
  EXPECT_THROW(make_inputs(example("uniform", 1), 1, 0), cases::DataError);
  cases::Case c = example("normal", 1);
  c.slice = "edge.none";
  EXPECT_THROW(make_inputs(c, 1, 0), cases::DataError);
  EXPECT_THROW(make_inputs(example("real", 1), 1, 0), cases::DataError);
}

}  // namespace
}  // namespace quadpair::inputs
