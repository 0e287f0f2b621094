#include "harness/run/repro.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <re2/re2.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cases/suite.hpp"

namespace quadpair::run {
namespace {

/// What a shell makes of a word.
std::string through_shell(const std::string& word) {
  const std::string command = "printf %s " + word;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) out += static_cast<char>(c);
  return out;
}

TEST(ShellWord, LeavesPlainWordsAlone) {
  EXPECT_EQ(shell_word("build/release/quadpair"), "build/release/quadpair");
  EXPECT_EQ(shell_word("--m"), "--m");
}

TEST(ShellWord, ComesBackFromAShell) {
  for (const char* word : {"", " ", "it's", "^a\\.b$", "a;b", "$(id)", "`id`", "*", "~", "#x", "\"", "a\nb"})
    EXPECT_EQ(through_shell(shell_word(word)), word);
}

TEST(ExactPattern, MatchesEachCaseAndNoOther) {
  std::vector<std::string> ids;
  for (const cases::Case& c : cases::load_suite("edges").cases) ids.push_back(c.id);
  ASSERT_GT(ids.size(), 100u);
  for (std::size_t i = 0; i < ids.size(); i += 17) {
    const RE2 pattern(exact_pattern(ids[i]));
    for (const std::string& id : ids) EXPECT_EQ(RE2::PartialMatch(id, pattern), id == ids[i]) << id;
  }
}

RC_GTEST_PROP(ExactPattern, MatchesAnyPrintableText, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(32, 127));
  RC_ASSERT(RE2::PartialMatch(text, exact_pattern(text)));
  RC_ASSERT(!RE2::PartialMatch(text + "x", exact_pattern(text)));
}

TEST(Repro, AddsTheFilter) {
  EXPECT_EQ(repro("quadpair verify --suite edges", "a/m1"),
            "quadpair verify --suite edges --filter '^a/m1$'");
}

}  // namespace
}  // namespace quadpair::run
