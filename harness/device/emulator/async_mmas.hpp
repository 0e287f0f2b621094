// The wgmma products that a warp has issued and not yet waited for.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "harness/device/emulator/lanes.hpp"

namespace quadpair::emulator {

struct Instruction;

/// A warp's part of one product: 16 of its 64 rows.
struct AsyncMma {
  const Instruction* ip = nullptr;
  std::uint64_t descriptor = 0;         ///< of B in shared memory
  std::optional<std::uint64_t> left;    ///< of A, if that too is in shared memory
  std::uint32_t group = 0;              ///< the warp's groups before this product's
  std::uint32_t a[4][kWarpLanes] = {};  ///< else
};

/// A product is performed as late as PTX allows: shared memory is read, and the sums are written, when the
/// first warp of the warpgroup waits for it. (Of A's registers a copy does, for nobody may write these
/// before.)
class AsyncMmas {
 public:
  void reset();

  AsyncMma& issue() {
    AsyncMma& product = pending_.emplace_back();
    product.group = committed_;
    return product;
  }
  void commit() { ++committed_; }

  std::uint64_t issued() const { return done_ + pending_.size(); }
  std::uint64_t done() const { return done_; }
  const AsyncMma& next() const { return pending_.front(); }
  AsyncMma& next() { return pending_.front(); }
  void finish_next() {
    pending_.pop_front();
    ++done_;
  }
  const std::deque<AsyncMma>& pending() const { return pending_; }

  /// How many products must be done when all groups but the `recent` last ones are; the warp waits for these.
  std::uint64_t wait(std::uint32_t recent);
  std::uint64_t awaited() const { return awaited_; }

 private:
  std::deque<AsyncMma> pending_;
  std::uint64_t done_ = 0, awaited_ = 0;
  std::uint32_t committed_ = 0;
};

}  // namespace quadpair::emulator
