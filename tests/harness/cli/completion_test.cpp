#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What bash offers after the words, the last of them being typed.
std::string offered(const std::string& words) {
  const Folder folder;
  write(folder / "completion", call({"completion", "bash"}).out);
  const std::string command = "bash -c 'source " + (folder / "completion") + "; COMP_WORDS=(quadpair " +
                              words +
                              "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _quadpair; echo ${COMPREPLY[@]}' 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) out += static_cast<char>(c);
  return out;
}

TEST(Completion, Commands) {
  EXPECT_EQ(offered("ver"), "verify\n");
}

TEST(Completion, OptionsOfACommand) {
  EXPECT_EQ(offered("verify --fil"), "--filter\n");
  EXPECT_THAT(offered("list --"), Not(HasSubstr("--device")));
  EXPECT_EQ(offered("list ker"), "kernels\n");
}

TEST(Completion, ValuesOfAnOption) {
  EXPECT_THAT(offered("verify --suite \"\""), HasSubstr("default edges production"));
  EXPECT_EQ(offered("verify --model fma"), "fma-lowered\n");
  EXPECT_EQ(offered("verify --device emu"), "emulator\n");
}

TEST(Completion, OtherShellsAreRefused) {
  EXPECT_EQ(call({"completion", "fish"}).status, 64);
}

}  // namespace
}  // namespace quadpair::cli
