#include "cases/case_json.hpp"

#include <gtest/gtest.h>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

Case odd_case() {
  Case c;
  c.id = "id";
  c.operation = "qpn2_gated";
  c.slice = "edge.unit";
  c.m = 7;
  c.layout = "shared";
  c.split_k = 8;
  c.chains = 2;
  c.tuning = "64x128.s1";
  c.qpn2_rows = 31;
  c.dense_rows = 1023;
  c.workspace_limit = std::uint64_t{1} << 33;
  c.library = true;
  c.target = "sm90";
  c.model = "hopper";
  c.fill = "normal";
  c.ldx_extra = 3;
  c.ldy_extra = 5;
  c.y_before = 7;
  c.judges_order = false;
  c.promises_all_codes = false;
  c.refused = "row 37";
  c.rank = 2;
  c.tp = 4;
  return c;
}

TEST(CaseJson, GivesBackEveryField) {
  const Case c = case_from_json(nlohmann::json::parse(to_json(odd_case()).dump()));
  EXPECT_EQ(c.id, "id");
  EXPECT_EQ(c.operation, "qpn2_gated");
  EXPECT_EQ(c.slice, "edge.unit");
  EXPECT_EQ(c.m, 7u);
  EXPECT_EQ(c.layout, "shared");
  EXPECT_EQ(c.split_k, 8u);
  EXPECT_EQ(c.chains, 2u);
  EXPECT_EQ(c.tuning, "64x128.s1");
  EXPECT_EQ(c.qpn2_rows, 31u);
  EXPECT_EQ(c.dense_rows, 1023u);
  EXPECT_EQ(c.workspace_limit, std::uint64_t{1} << 33);
  EXPECT_TRUE(c.library);
  EXPECT_EQ(c.target, "sm90");
  EXPECT_EQ(c.model, "hopper");
  EXPECT_EQ(c.fill, "normal");
  EXPECT_EQ(c.ldx_extra, 3u);
  EXPECT_EQ(c.ldy_extra, 5u);
  EXPECT_EQ(c.y_before, 7u);
  EXPECT_FALSE(c.judges_order);
  EXPECT_FALSE(c.promises_all_codes);
  EXPECT_EQ(c.refused, "row 37");
  EXPECT_EQ(c.rank, 2u);
  EXPECT_EQ(c.tp, 4u);
  EXPECT_EQ(case_from_json(to_json(Case{})).refused, std::nullopt);
}

TEST(CaseJson, RefusesWhatIsNoCase) {
  nlohmann::json json = to_json(odd_case());
  json["m"] = "many";
  EXPECT_THROW(case_from_json(json), DataError);
  json.erase("m");
  EXPECT_THROW(case_from_json(json), DataError);
}

}  // namespace
}  // namespace quadpair::cases
