// What a block did, register by register: the traced decode of a kernel puts captures around instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/common/launch.hpp"

namespace quadpair::emulator {

/// Registers of a warp before an instruction (addresses, sources of copies) or after it (results).
struct Capture {
  std::uint32_t instruction = 0;  ///< of the entry
  bool after = false;
  std::uint32_t warp = 0, lanes = 0;
  std::size_t words = 0;  ///< where its registers begin in Recording::words
};

/// A register takes 32 words, of 64 bits 64 (the low halves first), a predicate one.
struct Recording {
  Dim3 block;
  std::vector<Capture> captures;  ///< in the order of execution
  std::vector<std::uint32_t> words;
};

/// Keeps the recording of the block that was the last to store to one address in global memory.
class Recorder {
 public:
  explicit Recorder(std::uint64_t watched) : watched_(watched) {}

  void begin_block(const Dim3& block);
  void end_block();

  /// Registers at `file` + list[1 + 2i] of list[2 + 2i] bits, i < list[0]. Where `store_bytes` is not 0 the
  /// first holds addresses of a store of so many bytes, without their displacement.
  void capture(const Capture& at, const std::byte* file, const std::uint32_t* list, std::uint32_t store_bytes,
               std::uint64_t displacement);

  /// What a wgmma made, when it was performed: its sums, registers of 32 bits at `file` + `sums`; and
  /// `staged`: the descriptors of B and A, the low word first (of A zeros if it is in registers), then 8
  /// words, 16 k, of each row of B and of A's, if it is in shared memory.
  void capture_product(const Capture& at, const std::byte* file, std::span<const std::uint32_t> sums,
                       std::span<const std::uint32_t> staged);

  bool stored() const { return kept_stored_; }
  const Recording& recording() const { return kept_; }

 private:
  std::uint64_t watched_;
  bool stored_ = false, kept_stored_ = false;
  Recording current_, kept_;
};

}  // namespace quadpair::emulator
