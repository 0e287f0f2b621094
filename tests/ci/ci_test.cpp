// The files for CI services, by the services' published schemas, and run here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

const std::string root = QUADPAIR_TEST_DATA "/..", tools = root + "/build/ecosystem/bin/";

class Ci : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(tools + "check-jsonschema"))
      GTEST_SKIP() << "no " << tools << "check-jsonschema: `make ecosystem` installs it";
  }
  static int run(const std::string& command) { return std::system(command.c_str()); }
};

TEST_F(Ci, GithubsSchema) {
  EXPECT_EQ(run(tools + "check-jsonschema --builtin-schema vendor.github-workflows " + root +
                "/.github/workflows/quadpair.yml"),
            0);
}

TEST_F(Ci, GitlabsSchema) {
  EXPECT_EQ(run(tools + "check-jsonschema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci " + root +
                "/docs/ci/gitlab-ci.yml"),
            0);
}

TEST_F(Ci, CommandsRun) {
  EXPECT_EQ(run(tools + "python " + root + "/tests/ci/workflow_commands.py " QUADPAIR_PROGRAM " " + root), 0);
}

}  // namespace
