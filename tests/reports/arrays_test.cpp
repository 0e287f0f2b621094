#include "reports/arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "reports/arrays_journal.hpp"

namespace quadpair::reports {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::Pair;

CaseArrays example() {
  return {"replay 1",
          HalfMatrix{1, 3, {0x3c00, 0x7fff, 0x8000}},
          HalfMatrix{1, 2, {1, 2}},
          std::nullopt,
          {std::byte{0x21}, std::byte{0xff}},
          {std::byte{0x38}},
          {0.5f, -0.0f},
          {3e-4f}};
}

TEST(CaseArrays, AreTheSameAsBytes) {
  EXPECT_EQ(arrays_from_bytes(to_bytes(example())), example());
  EXPECT_EQ(arrays_from_bytes(to_bytes({})), CaseArrays{});
  const std::string bytes = to_bytes(example());
  EXPECT_THROW(arrays_from_bytes(bytes.substr(0, bytes.size() / 2)), std::invalid_argument);
  EXPECT_THROW(arrays_from_bytes("hello"), std::invalid_argument);
}

class ArraysJournalTest : public testing::Test {
 protected:
  ArraysJournalTest() { fs::remove(journal_); }
  ~ArraysJournalTest() override { fs::remove(journal_); }

  const fs::path file_ = fs::path(testing::TempDir()) / ("arrays-" + std::to_string(getpid()) + ".h5");
  const fs::path journal_ = file_.string() + ".journal";
};

TEST_F(ArraysJournalTest, IsReadAgainButForALastEntryThatWasCutShort) {
  CaseArrays other = example();
  other.output = "eager";
  std::uintmax_t first = 0;
  {
    ArraysJournal journal(file_, Contents::emptied);
    journal.add(7, example());
    first = fs::file_size(journal_);
    journal.add(3, other);
  }
  const std::uintmax_t whole = fs::file_size(journal_);
  EXPECT_THAT(ArraysJournal(file_, Contents::kept).entries(),
              ElementsAre(Pair(3, other), Pair(7, example())));
  for (const std::uintmax_t size : {whole - 1, first + 16, first + 1, first}) {
    fs::resize_file(journal_, size);
    EXPECT_THAT(ArraysJournal(file_, Contents::kept).entries(), ElementsAre(Pair(7, example()))) << size;
  }
}

TEST_F(ArraysJournalTest, IsGoneWhenEmptyAndIsNotShared) {
  {
    ArraysJournal journal(file_, Contents::emptied);
    journal.add(7, example());
    EXPECT_THROW(ArraysJournal(file_, Contents::emptied), std::system_error);
    EXPECT_EQ(journal.entries().size(), 1u);
    journal.clear();
    EXPECT_TRUE(journal.entries().empty());
  }
  EXPECT_FALSE(fs::exists(journal_));
}

}  // namespace
}  // namespace quadpair::reports
