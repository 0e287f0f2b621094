#include "harness/device/emulator/async_mmas.hpp"

#include <algorithm>

namespace quadpair::emulator {

void AsyncMmas::reset() {
  pending_.clear();
  done_ = awaited_ = 0;
  committed_ = 0;
}

std::uint64_t AsyncMmas::wait(std::uint32_t recent) {
  const auto due = std::ranges::count_if(
      pending_, [&](const AsyncMma& product) { return committed_ - product.group > recent; });
  awaited_ = done_ + static_cast<std::uint64_t>(due);
  return awaited_;
}

}  // namespace quadpair::emulator
