// The buffers of a device as the running kernels see them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

class WrittenBytes;

/// A buffer's identity: its exact range, without the guard bands.
struct Region {
  std::uint64_t begin = 0, bytes = 0;
  std::byte* host = nullptr;  ///< where its bytes are
  bool writable = true;
  std::string name;
  WrittenBytes* written = nullptr;  ///< which bytes hold a value; null where nobody asks

  Range range() const { return {begin, bytes, reinterpret_cast<std::uint64_t>(host) - begin}; }
};

/// Every buffer that exists, in ascending order of address.
class Memory {
 public:
  /// With `notes_writes`, its buffers know which of their bytes were written.
  explicit Memory(bool notes_writes = false) : notes_writes_(notes_writes) {}
  bool notes_writes() const { return notes_writes_; }

  /// Yields the region's address: in the middle of the lowest window that is free, so that the same buffers
  /// have the same addresses in each run. Throws std::length_error when there is none.
  std::uint64_t add(Region region);
  void remove(std::uint64_t begin);

  const std::vector<Region>& regions() const { return regions_; }

  /// The region that holds all of [address, address + bytes), or null.
  const Region* find(std::uint64_t address, std::uint64_t bytes) const;

  /// An address in words: the nearest buffer and the offset in it, before it or past its end.
  std::string describe(std::uint64_t address) const;

 private:
  std::vector<Region> regions_;
  bool notes_writes_;
};

/// What a memory instruction does, packed in Instruction::e.
struct AccessFlags {
  static constexpr std::uint32_t narrow_address = 1;  ///< the address register has 32 bits
  static constexpr std::uint32_t no_register = 2;     ///< the address is the immediate alone
  static constexpr std::uint32_t store = 4;
  static constexpr std::uint32_t shared = 8;
  static constexpr std::uint32_t generic = 16;
};

/// Why an access, which is described by AccessFlags, must not be performed, or an empty string; `align` may
/// exceed `bytes`. `region` becomes the buffer that it goes to, or null for shared memory.
std::string why_refused(const Context& context, std::uint64_t address, std::uint32_t bytes,
                        std::uint32_t align, std::uint32_t flags, const Region*& region);

/// The host address of one lane's access, which is described by AccessFlags; refreshes the instruction's
/// cached range, or throws the lane's fault.
std::uint64_t check_lane(const Instruction* ip, Context* context, std::uint32_t lane, std::uint64_t address,
                         std::uint32_t bytes, std::uint32_t align, std::uint32_t flags);

/// Throws the lane's fault when it reads outside the launch's parameters, or misaligned.
void check_parameter(const Instruction* ip, const Context& context, std::uint32_t lane, std::uint64_t offset,
                     std::uint32_t bytes);

/// Checks each of `lanes` by itself, after the check of the whole warp failed: every lane may be in a buffer
/// of its own. Puts the host addresses into `hosts`, refreshes the instruction's cached range, or throws the
/// fault of the lowest lane. `addresses` lack the displacement.
void check_lanes(const Instruction* ip, Context* context, const std::uint64_t* addresses, std::uint32_t lanes,
                 std::uint32_t bytes, std::uint64_t* hosts);

}  // namespace quadpair::emulator
