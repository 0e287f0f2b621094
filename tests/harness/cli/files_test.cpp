#include "harness/cli/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/cli/exit_status.hpp"
#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

TEST(Files, DifferentOnesAndAbsentOnesAreFine) {
  EXPECT_NO_THROW(require_distinct({{"--json", "a"}, {"--junit", "b"}, {"--cases", ""}, {"--hdf5", ""}}));
}

TEST(Files, OneFileUnderTwoNamesIsRefused) {
  const Folder folder;
  write(folder / "s.json", "{}");
  std::filesystem::create_symlink("s.json", folder / "link.json");
  const auto refused = [](const std::string& a, const std::string& b) {
    try {
      require_distinct({{"--cases", a}, {"--json", b}});
    } catch (const Error& e) {
      EXPECT_EQ(e.exit, Exit::usage);
      EXPECT_THAT(e.what(), testing::StartsWith("--cases and --json name the same file"));
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused("new", "new"));
  EXPECT_TRUE(refused("new", "./new"));
  EXPECT_TRUE(refused("new", std::filesystem::current_path() / "new"));
  EXPECT_TRUE(refused(folder / "s.json", folder / "link.json"));
  EXPECT_FALSE(refused(folder / "s.json", "s.json"));
}

}  // namespace
}  // namespace quadpair::cli
