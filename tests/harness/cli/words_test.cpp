#include "harness/cli/words.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace quadpair::cli {
namespace {

TEST(Words, AbsolutePathsBecomeRelative) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(portable_path(here + "/a/b.json"), "a/b.json");
  EXPECT_EQ(portable_path("a/b.json"), "a/b.json");
  EXPECT_EQ(
      portable_command({here + "/quadpair", "verify", "--json=" + here + "/r.json", "--filter", "^a|b$"}),
      "quadpair verify --json=r.json --filter '^a|b$'");
  EXPECT_EQ(portable_command({"quadpair", "merge", "a.json", "-o" + here + "/all.json"}),
            "quadpair merge a.json -oall.json");
}

TEST(Words, PathsElsewhereLeadThereStill) {
  const std::string path = portable_path("/etc/os-release");
  EXPECT_FALSE(path.starts_with("/"));
  EXPECT_TRUE(std::filesystem::equivalent(path, "/etc/os-release"));
}

}  // namespace
}  // namespace quadpair::cli
