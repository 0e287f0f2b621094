// Users' suite files: what they may hold, and how the rest is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/suite.hpp"
#include "tests/cases/safetensors_writer.hpp"

namespace quadpair::cases {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::TemporaryFile;

json minimal() {
  return json::parse(R"({"schema": "quadpair.suite/1", "name": "mine", "description": "", "groups": [
      {"operators": ["qpn2_gemm"], "slices": ["edge.k96", "edge.unit"], "m": [3], "plans": ["s8.c1"],
       "targets": {"sm90": ["hopper"]}, "fills": ["normal"]}]})");
}

std::string page() {
  std::stringstream text;
  text << std::ifstream(QUADPAIR_TEST_DATA "/../docs/suites.md").rdbuf();
  return text.str();
}

TEST(SuiteFile, ThePagesExampleIsOne) {
  const std::string text = page(), fence = "```json\n";
  const std::size_t begin = text.find(fence) + fence.size();
  const TemporaryFile file(text.substr(begin, text.find("```", begin) - begin));
  const Suite suite = load_suite_file(file.path());
  EXPECT_EQ(suite.cases.size(), 3u * 5 + 2u * 2);
  EXPECT_EQ(suite.cases.back().y_before, 1u);
}

/// Every `word` with which a row of a table begins.
std::set<std::string> row_keys(const std::string& text) {
  std::set<std::string> keys;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cell(line.substr(1, line.find('|', 1) - 1));
    for (std::string word; cell >> word;) keys.insert(word.substr(1, word.find('`', 1) - 1));
  }
  return keys;
}

TEST(SuiteFile, ThePageNamesEveryKeyAndNoOther) {
  const json schema = json::parse(find_embedded("cases/suites/suite.schema.json").value().text());
  std::set<std::string> keys;
  for (const json& object : {schema, schema["definitions"]["group"]})
    for (const auto& [key, value] : object["properties"].items()) keys.insert(key);
  const json group = schema["definitions"]["group"]["properties"];
  for (const json& fill : group["fills"]["items"]["enum"]) keys.insert(fill.get<std::string>());
  EXPECT_EQ(row_keys(page()), keys);
  for (const char* list : {"operators", "layouts"})
    for (const json& name : group[list]["items"]["enum"])
      EXPECT_THAT(page(), HasSubstr("`" + name.get<std::string>() + "`"));
}

TEST(SuiteFile, ExpandsAUsersFile) {
  const TemporaryFile file(minimal().dump());
  const Suite suite = load_suite_file(file.path());
  EXPECT_EQ(suite.name, "mine");
  ASSERT_EQ(suite.cases.size(), 2u);
  EXPECT_EQ(suite.cases[1].id, "qpn2_gemm/edge.unit/m3/dual/s8.c1/sm90/hopper/normal");
}

/// The message for the minimal suite with a JSON patch applied.
std::string refusal(const char* patch) {
  const TemporaryFile file(minimal().patch(json::parse(patch)).dump());
  try {
    load_suite_file(file.path());
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr(file.path().string()));
    return error.what();
  }
  return "accepted";
}

TEST(SuiteFile, RefusesWhatTheSchemaDoesNotKnow) {
  EXPECT_THAT(refusal(R"([{"op": "add", "path": "/groups/0/split", "value": 8}])"),
              AllOf(HasSubstr(": /groups/0: "), HasSubstr("split")));
  EXPECT_THAT(refusal(R"([{"op": "add", "path": "/seed", "value": 8}])"), HasSubstr("seed"));
  EXPECT_THAT(refusal(R"([{"op": "remove", "path": "/groups/0/slices"}])"),
              AllOf(HasSubstr(": /groups/0: "), HasSubstr("'slices'")));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/m/0", "value": -1}])"),
              HasSubstr(": /groups/0/m/0: -1: "));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/m/0", "value": "3"}])"),
              HasSubstr(": /groups/0/m/0: \"3\": "));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/operators/0", "value": "qpn3_gemm"}])"),
              HasSubstr(": /groups/0/operators/0: \"qpn3_gemm\": "));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/targets", "value": {"sm90": ["volta"]}}])"),
              HasSubstr(": /groups/0/targets/sm90/0: "));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/plans/0", "value": "s8"}])"),
              HasSubstr(": /groups/0/plans/0: "));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/plans/0", "value": "s0.c0"}])"),
              HasSubstr(": /groups/0/plans/0: "));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups", "value": []}])"), HasSubstr(": /groups: "));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/schema", "value": "quadpair.suite/2"}])"),
              HasSubstr(": /schema: "));
}

TEST(SuiteFile, IdsLeaveOutWhatAnOperatorDoesNotHave) {
  const auto ids = [](const char* patch) {
    const TemporaryFile file(minimal().patch(json::parse(patch)).dump());
    std::vector<std::string> all;
    for (const Case& c : load_suite_file(file.path()).cases) all.push_back(c.id);
    return all;
  };
  EXPECT_THAT(ids(R"([{"op": "replace", "path": "/groups/0/operators", "value": ["restore_tm_scales"]},
                      {"op": "remove", "path": "/groups/0/m"}, {"op": "remove", "path": "/groups/0/fills"},
                      {"op": "remove", "path": "/groups/0/plans"},
                      {"op": "replace", "path": "/groups/0/slices", "value": ["edge.unit"]},
                      {"op": "add", "path": "/groups/0/layouts", "value": ["compact"]}])"),
              ::testing::ElementsAre("restore_tm_scales/edge.unit/compact/sm90/hopper"));
  EXPECT_THAT(ids(R"([{"op": "replace", "path": "/groups/0/operators", "value": ["qpn2_dispatch"]},
                      {"op": "replace", "path": "/groups/0/slices", "value": ["gdn_out"]},
                      {"op": "add", "path": "/groups/0/ranks", "value": [0, 3]},
                      {"op": "replace", "path": "/groups/0/plans", "value": ["q8.d64"]},
                      {"op": "add", "path": "/groups/0/layouts", "value": ["shared", "temporary"]}])"),
              ::testing::ElementsAre("qpn2_dispatch/gdn_out@r0/m3/shared/q8.d64/sm90/hopper/normal",
                                     "qpn2_dispatch/gdn_out@r0/m3/temporary/q8.d64/sm90/hopper/normal",
                                     "qpn2_dispatch/gdn_out@r3/m3/shared/q8.d64/sm90/hopper/normal",
                                     "qpn2_dispatch/gdn_out@r3/m3/temporary/q8.d64/sm90/hopper/normal"));
  EXPECT_THAT(ids(R"([{"op": "replace", "path": "/groups/0/operators", "value": ["silu_and_mul"]},
                      {"op": "replace", "path": "/groups/0/plans", "value": ["tuned"]},
                      {"op": "replace", "path": "/groups/0/slices", "value": ["edge.unit"]}])"),
              ::testing::ElementsAre("silu_and_mul/edge.unit/m3/sm90/hopper/normal"));
}

TEST(SuiteFile, RefusesWhatCannotBeExpanded) {
  EXPECT_THAT(refusal(R"([{"op": "remove", "path": "/groups/0/m"}])"),
              HasSubstr(": /groups/0: qpn2_gemm needs 'm' and 'fills'"));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/operators/0", "value": "qpn2_dispatch"}])"),
              HasSubstr("plan 's8.c1' cannot be had for qpn2_dispatch"));
  EXPECT_THAT(refusal(R"([{"op": "add", "path": "/groups/0/ranks", "value": [0]}])"),
              HasSubstr(": /groups/0/slices/0: slice 'edge.k96@r0' is not known"));

  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/slices/1", "value": "edge.none"}])"),
              HasSubstr(": /groups/0/slices/1: slice 'edge.none' is not known"));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/operators/0", "value": "qpn2_gated"}])"),
              HasSubstr(": /groups/0/slices/0: slice 'edge.k96' is not a fused gate/up matrix"));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/plans/0", "value": "tuned"},
                          {"op": "replace", "path": "/groups/0/targets", "value": {"sm70": ["volta"]}}])"),
              HasSubstr(": /groups/0/slices/0: plan 'tuned' cannot be had for qpn2_gemm with K = 96"));
  EXPECT_THAT(refusal(R"([{"op": "replace", "path": "/groups/0/fills/0", "value": "real"}])"),
              HasSubstr(": /groups/0/slices/0: slice 'edge.k96' has no real activations"));
  EXPECT_THAT(refusal(R"([{"op": "copy", "from": "/groups/0", "path": "/groups/1"}])"),
              HasSubstr(": /groups/1: case 'qpn2_gemm/edge.k96/m3/dual/s8.c1/sm90/hopper/normal' is also in "
                        "/groups/0"));
}

TEST(SuiteFile, RefusesWhatIsNotJson) {
  const auto refused = [](std::string_view text) -> std::string {
    const TemporaryFile file(text);
    try {
      load_suite_file(file.path());
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(file.path().string()), HasSubstr("not JSON")));
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refused("{\"schema\": "), HasSubstr("line 1"));
  EXPECT_THAT(refused(""), HasSubstr("line 1"));
  EXPECT_THAT(refused("{\"schema\": \"\xff\"}"), HasSubstr("UTF-8"));
  EXPECT_THAT(refused("[1e400]"), HasSubstr("1e400"));
  EXPECT_THROW(load_suite_file("no-such-suite.json"), DataError);
}

TEST(SuiteFile, CommittedSuitesAreAccepted) {
  for (const std::string& name : suite_names()) {
    const std::string path = std::string(QUADPAIR_TEST_DATA) + "/../cases/suites/" + name + ".json";
    EXPECT_EQ(load_suite_file(path).cases.size(), load_suite(name).cases.size());
    std::ifstream in(path);
    EXPECT_EQ(json::parse(in), json::parse(find_embedded("cases/suites/" + name + ".json")->text()));
  }
}

}  // namespace
}  // namespace quadpair::cases
