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
      require_distinct({{"--json", b}}, {{"--cases", a}});
    } catch (const Error& e) {
      EXPECT_EQ(e.exit, Exit::usage);
      EXPECT_THAT(e.what(), testing::StartsWith("--json and --cases name the same file"));
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused("new", "new"));
  EXPECT_TRUE(refused("new", "./new"));
  EXPECT_TRUE(refused("new", std::filesystem::current_path() / "new"));
  EXPECT_TRUE(refused(folder / "s.json", folder / "link.json"));
  EXPECT_FALSE(refused(folder / "s.json", "s.json"));
  EXPECT_THROW(require_distinct({{"--json", "r"}, {"--junit", "./r"}}), Error);
  EXPECT_NO_THROW(require_distinct({{"--json", "r"}}, {{"BASE", "b"}, {"NEW", "b"}}));  // read twice
}

// Whatever a command writes: never over what it reads, and known to be writable before any work.
TEST(Files, NoCommandWritesOverItsInput) {
  const Folder folder;
  const std::string file = folder / "input", text = "{}";
  const std::string id = "qpn2_gemm/minilm.0.o/m17/dual/s8.c2/sm70/volta/real";
  const std::vector<std::pair<std::vector<std::string>, std::string>> commands = {
      {{"verify", "--cases", file}, "--json"},
      {{"verify", "--cases", file}, "--hdf5"},
      {{"verify", "--cases", file}, "--junit"},
      {{"verify", "--checkpoint", file}, "--json"},
      {{"verify", "--checkpoint", folder / ""}, "--json"},
      {{"verify", "--checkpoint", folder / "none", "--family", file}, "--json"},
      {{"bench", "--cases", file}, "--json"},
      {{"probe", "--data", file}, "--json"},
      {{"list", "cases", "--cases", file}, "--json"},
      {{"ledger", file}, "--json"},
      {{"ledger", folder / ""}, "--json"},
      {{"slice", "--checkpoint", folder / "", "--projection", "lm_head"}, "--output"},
      {{"slice", "--checkpoint", file, "--projection", "lm_head"}, "--output"},
      {{"compare", file, folder / "other"}, "--json"},
      {{"compare", folder / "other", file}, "--json"},
      {{"merge", file}, "--output"},
      {{"report", file}, "--markdown"},
      {{"report", file}, "--html"},
      {{"report", file}, "--junit"},
      {{"explain", id, "--at", "0,0", "--cases", file}, "--json"},
      {{"mutate", "qpn2/gemm", "--cases", file}, "--json"}};
  for (auto [words, option] : commands) {
    write(file, text);
    words.insert(words.end(), {option, file});
    const Result over = call(words);
    EXPECT_EQ(over.status, 64) << words[0] << " " << option;
    EXPECT_THAT(over.err, testing::HasSubstr("name the same file")) << words[0] << " " << option;
    EXPECT_EQ(read(file), text) << words[0] << " " << option;

    words.back() = folder / "no-such-folder/output";
    const Result nowhere = call(words);
    EXPECT_EQ(nowhere.status, 64) << words[0] << " " << option;
    EXPECT_THAT(nowhere.err, testing::HasSubstr("no-such-folder")) << words[0] << " " << option;
    EXPECT_EQ(nowhere.out, "") << words[0] << " " << option;
  }
}

}  // namespace
}  // namespace quadpair::cli
