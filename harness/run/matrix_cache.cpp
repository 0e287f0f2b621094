#include "harness/run/matrix_cache.hpp"

#include <algorithm>
#include <stdexcept>

namespace quadpair::run {

std::shared_ptr<MatrixCache::Entry> MatrixCache::find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(entries_, [&](const auto& entry) { return entry->name == name; });
  if (found == entries_.end())
    entries_.push_front(std::make_shared<Entry>(name));
  else
    entries_.splice(entries_.begin(), entries_, found);
  return entries_.front();
}

const Slice& MatrixCache::load(Entry& entry) const {
  if (!entry.slice.weights) {
    auto weights = slices_->load(entry.name, seed_);
    entry.bytes += weights->codes.size() + weights->scales.size();
    entry.slice = {weights, fingerprint(*weights)};
  }
  return entry.slice;
}

void MatrixCache::trim() {
  const std::lock_guard lock(mutex_);
  std::size_t kept = 0;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    kept += (*entry)->bytes;
    const bool newest = entry == entries_.begin();
    entry = !newest && kept > limit_ ? entries_.erase(entry) : std::next(entry);
  }
}

Slice MatrixCache::slice(const std::string& name) {
  const std::shared_ptr<Entry> entry = find(name);
  const std::lock_guard lock(entry->busy);
  return load(*entry);
}

std::shared_ptr<const Matrix> MatrixCache::matrix(const std::string& name, std::uint32_t halves) {
  if (halves != 1 && halves != 2) throw std::invalid_argument("a matrix has one half or two");
  const std::shared_ptr<Entry> entry = find(name);
  const std::lock_guard lock(entry->busy);
  auto& matrix = entry->matrix[halves - 1];
  if (!matrix) {
    matrix = std::make_shared<const Matrix>(load(*entry).weights, halves);
    entry->bytes += matrix->bytes();
    trim();
  }
  return matrix;
}

}  // namespace quadpair::run
