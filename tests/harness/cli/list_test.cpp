#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/suite.hpp"
#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json listed(const std::string& what, std::vector<std::string> more = {}) {
  const Folder folder;
  std::vector<std::string> arguments{"list", what, "--json", folder / "list.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Result result = call(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  const json lists = read_json(folder / "list.json");
  EXPECT_EQ(lists.size(), 1u);
  return lists.at(what);
}

TEST(List, Suites) {
  std::vector<std::string> names;
  for (const json& suite : listed("suites")) {
    names.push_back(suite["name"]);
    EXPECT_EQ(suite["cases"], cases::load_suite(names.back()).cases.size());
  }
  EXPECT_THAT(names, testing::ElementsAreArray(cases::suite_names()));
}

TEST(List, CasesObeyTheSelection) {
  const json cases = listed("cases", {"--suite", "edges", "--m", "0"});
  ASSERT_FALSE(cases.empty());
  for (const json& c : cases) EXPECT_THAT(c["id"].get<std::string>(), HasSubstr("/m0/"));
}

TEST(List, KernelsWithTheirFigures) {
  std::size_t entries = 0;
  for (const Module& module : modules()) entries += module.kernels.size();
  const json kernels = listed("kernels");
  EXPECT_EQ(kernels.size(), entries);
  for (const json& kernel : kernels) {
    EXPECT_GT(kernel["registers"], 0);
    EXPECT_EQ(kernel["spill_bytes"], 0) << kernel["name"];
    EXPECT_EQ(kernel["sha256"].get<std::string>().size(), 64u);
    EXPECT_THAT(kernel["toolkit"].get<std::string>(), HasSubstr("NVRTC 12.8"));
    EXPECT_THAT(kernel["options"].get<std::string>(), HasSubstr("--fmad=false"));
  }
}

TEST(List, RefusesAFilterOfWhatIsNoCase) {
  const Result result = call({"list", "kernels", "--filter", "gated"});
  EXPECT_EQ(result.status, 64);
  EXPECT_THAT(result.err, HasSubstr("--filter: only `list cases` takes it"));
}

TEST(List, Models) {
  const json models = listed("models");
  ASSERT_EQ(models.size(), 5u);
  for (const json& model : models) {
    const bool native = model["name"] == "ampere" || model["name"] == "hopper";
    json expected = native ? json::array({"m16n8k8", "m16n8k16"}) : json::array({"m8n8k4"});
    if (model["name"] == "turing") expected.push_back("m16n8k8");
    EXPECT_EQ(model["instructions"], expected) << model["name"];
  }
}

TEST(List, DevicesNameTheEmulator) {
  EXPECT_THAT(listed("devices").dump(), HasSubstr("\"kind\":\"emulator\""));
}

TEST(List, WithoutAWordAllButCases) {
  const Result result = call({"list"});
  EXPECT_EQ(result.status, 0);
  for (const char* head : {"suite ", "kernel ", "device ", "model "})
    EXPECT_THAT(result.out, HasSubstr(head));
}

TEST(List, RefusesOtherWords) {
  EXPECT_EQ(call({"list", "birds"}).status, 64);
  EXPECT_EQ(call({"list", "models", "--json", "no/such/folder/f"}).status, 64);
}

}  // namespace
}  // namespace quadpair::cli
