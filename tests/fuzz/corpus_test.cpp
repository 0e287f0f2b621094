// What the fuzzer once found, as an ordinary test.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/checkpoint_input.hpp"

namespace quadpair::fuzz {
namespace {

TEST(Corpus, EveryInputIsReadOrRefused) {
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(QUADPAIR_TEST_DATA "/fuzz/corpus")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    SCOPED_TRACE(entry.path().filename().string());
    EXPECT_NO_THROW(read_checkpoint_input(std::as_bytes(std::span(text))));
    ++inputs;
  }
  EXPECT_GT(inputs, 20);
}

}  // namespace
}  // namespace quadpair::fuzz
