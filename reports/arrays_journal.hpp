// Arrays of finished cases that no snapshot holds yet.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

#include "reports/arrays.hpp"
#include "reports/descriptor.hpp"

namespace quadpair::reports {

/// FILE.journal beside an HDF5 file, for this process alone; gone at the end when it is empty. Each member
/// throws std::system_error.
class ArraysJournal {
 public:
  /// Empties the journal, unless it is to be kept.
  ArraysJournal(const std::filesystem::path& file, Contents contents);
  ArraysJournal(const ArraysJournal&) = delete;
  ArraysJournal& operator=(const ArraysJournal&) = delete;
  ~ArraysJournal();

  /// What it holds, by the case's place in the suite. A last entry that was cut short is left out.
  std::map<std::uint64_t, CaseArrays> entries() const;

  /// On the disk when it returns.
  void add(std::uint64_t index, const CaseArrays& arrays);

  /// A snapshot holds them all.
  void clear();

 private:
  std::filesystem::path file_;
  Descriptor descriptor_;
};

}  // namespace quadpair::reports
