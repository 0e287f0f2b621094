#include "harness/device/emulator/async_copies.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

namespace quadpair::emulator {
namespace {

template <std::size_t Bytes>
void perform(const AsyncCopy& copy, std::uint32_t lanes, std::byte* shared) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    std::byte value[Bytes] = {};
    const auto* from = reinterpret_cast<const std::byte*>(copy.source[lane]);
    if (copy.read[lane] == Bytes)
      std::memcpy(value, from, Bytes);
    else
      std::copy_n(from, copy.read[lane], value);
    std::memcpy(shared + copy.destination[lane], value, Bytes);
  }
}

}  // namespace

void AsyncCopies::reset() {
  pending_.clear();
  first_ = 0;
  std::ranges::fill(committed_, 0);
}

AsyncCopy& AsyncCopies::issue(std::uint32_t lanes, std::uint32_t bytes) {
  AsyncCopy& copy = pending_.emplace_back();
  copy.lanes = lanes;
  copy.bytes = bytes;
  std::ranges::copy(committed_, copy.group);
  return copy;
}

void AsyncCopies::commit(std::uint32_t lanes) {
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) committed_[lane] += lanes >> lane & 1;
}

std::uint32_t AsyncCopies::due_of(const AsyncCopy& copy, std::uint32_t recent) const {
  std::uint32_t due = 0;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    due |= std::uint32_t{committed_[lane] - copy.group[lane] > recent} << lane;
  return due & copy.lanes;
}

void AsyncCopies::wait(std::uint32_t lanes, std::uint32_t recent, std::byte* shared) {
  for (std::size_t i = first_; i < pending_.size(); ++i) {
    AsyncCopy& copy = pending_[i];
    const std::uint32_t due = due_of(copy, recent) & lanes;
    switch (copy.bytes) {
      case 4: perform<4>(copy, due, shared); break;
      case 8: perform<8>(copy, due, shared); break;
      default: perform<16>(copy, due, shared);
    }
    copy.lanes &= ~due;
  }
  while (first_ < pending_.size() && pending_[first_].lanes == 0) ++first_;
  if (2 * first_ >= pending_.size()) {
    pending_.erase(pending_.begin(), std::next(pending_.begin(), static_cast<std::ptrdiff_t>(first_)));
    first_ = 0;
  }
}

}  // namespace quadpair::emulator
