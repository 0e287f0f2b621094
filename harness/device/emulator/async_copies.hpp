// The cp.async copies that a warp has issued and not yet waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/device/emulator/lanes.hpp"

namespace quadpair::emulator {

/// One cp.async. Its addresses have been checked.
struct AsyncCopy {
  std::uint32_t lanes = 0;                ///< that have yet to be copied
  std::uint32_t bytes = 0;                ///< that each writes: 4, 8 or 16
  std::uint64_t source[kWarpLanes];       ///< host addresses
  std::uint32_t destination[kWarpLanes];  ///< offsets in shared memory
  std::uint32_t read[kWarpLanes];         ///< bytes from the source; zeros follow
  std::uint32_t group[kWarpLanes];        ///< the lane's groups before this copy's
};

/// A copy is performed as late as PTX allows, when its lane waits for the copy's group, and reads its source
/// then: a kernel that waits for too little finds the old contents of shared memory. Groups are each lane's
/// own. What nobody has waited for when the block ends is dropped with the shared memory.
class AsyncCopies {
 public:
  void reset();

  /// A copy of the open group of each lane; the caller fills in addresses and sizes.
  AsyncCopy& issue(std::uint32_t lanes, std::uint32_t bytes);

  /// Closes the lanes' open groups.
  void commit(std::uint32_t lanes);

  /// Performs the lanes' copies of closed groups except the `recent` last ones, oldest first.
  void wait(std::uint32_t lanes, std::uint32_t recent, std::byte* shared);

  /// Calls see(copy, lanes) for each copy that such a wait would perform.
  template <class See>
  void for_each_due(std::uint32_t lanes, std::uint32_t recent, See see) const {
    for (std::size_t i = first_; i < pending_.size(); ++i)
      if (const std::uint32_t due = due_of(pending_[i], recent) & lanes; due != 0) see(pending_[i], due);
  }

 private:
  /// Lanes whose copy belongs to a closed group that is not among the `recent` last ones.
  std::uint32_t due_of(const AsyncCopy& copy, std::uint32_t recent) const;

  std::vector<AsyncCopy> pending_;
  std::size_t first_ = 0;  ///< of those that are not done
  std::uint32_t committed_[kWarpLanes] = {};
};

}  // namespace quadpair::emulator
