#include "reports/arrays_journal.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

namespace quadpair::reports {
namespace {

/// Ahead of each entry's bytes.
struct Head {
  std::uint64_t index, bytes;
};

}  // namespace

ArraysJournal::ArraysJournal(const std::filesystem::path& file, Contents contents)
    : file_(file.string() + ".journal"), descriptor_(file_, contents) {}

ArraysJournal::~ArraysJournal() {
  std::error_code ignored;
  if (std::filesystem::file_size(file_, ignored) == 0) std::filesystem::remove(file_, ignored);
}

std::map<std::uint64_t, CaseArrays> ArraysJournal::entries() const {
  std::ifstream in(file_, std::ios::binary);
  std::uint64_t left = std::filesystem::file_size(file_);
  std::map<std::uint64_t, CaseArrays> entries;
  while (left >= sizeof(Head)) {
    std::array<char, sizeof(Head)> raw{};
    in.read(raw.data(), raw.size());
    Head head{};
    std::memcpy(&head, raw.data(), sizeof head);
    left -= sizeof head;
    if (head.bytes > left) break;
    std::string bytes(head.bytes, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    left -= head.bytes;
    try {
      entries.insert_or_assign(head.index, arrays_from_bytes(bytes));
    } catch (const std::invalid_argument& e) {
      throw std::system_error(EILSEQ, std::generic_category(), file_.string() + ": " + e.what());
    }
  }
  return entries;
}

void ArraysJournal::add(std::uint64_t index, const CaseArrays& arrays) {
  const std::string bytes = to_bytes(arrays);
  const Head head{index, bytes.size()};
  std::string entry(sizeof head, '\0');
  std::memcpy(entry.data(), &head, sizeof head);
  descriptor_.write_and_sync(entry + bytes);
}

void ArraysJournal::clear() {
  descriptor_.cut(0);
}

}  // namespace quadpair::reports
