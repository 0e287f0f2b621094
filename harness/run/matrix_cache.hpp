// Slices and prepared matrices, kept for the cases that share them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "cases/slice_source.hpp"
#include "harness/run/matrix.hpp"

namespace quadpair::run {

/// A slice as loaded, with its fingerprint.
struct Slice {
  std::shared_ptr<const cases::QuantizedMatrix> weights;
  std::string sha256;
};

/// Least recently used matrices are dropped once those kept exceed `limit` bytes; a case that still works on
/// one keeps it alive. Safe to call from several threads: a matrix is made once, others wait for it.
class MatrixCache {
 public:
  MatrixCache(std::uint64_t seed, std::size_t limit,
              std::shared_ptr<const cases::SliceSource> slices = cases::built_in_slices())
      : slices_(std::move(slices)), seed_(seed), limit_(limit) {}

  /// Throws cases::DataError.
  Slice slice(const std::string& name);

  /// Throws cases::DataError, RangeError.
  std::shared_ptr<const Matrix> matrix(const std::string& name, std::uint32_t halves);

 private:
  struct Entry {
    explicit Entry(std::string slice_name) : name(std::move(slice_name)) {}
    const std::string name;
    std::mutex busy;  ///< held while a part of the entry is made
    Slice slice;
    std::shared_ptr<const Matrix> matrix[2];  ///< by halves - 1
    std::atomic<std::size_t> bytes = 0;
  };

  std::shared_ptr<Entry> find(const std::string& name);
  const Slice& load(Entry& entry) const;
  void trim();

  std::shared_ptr<const cases::SliceSource> slices_;
  std::uint64_t seed_;
  std::size_t limit_;
  std::mutex mutex_;                           ///< guards the list, not the entries
  std::list<std::shared_ptr<Entry>> entries_;  ///< most recently used first
};

}  // namespace quadpair::run
