// A plain read of buffers, as fast as the device streams: the floor of any operator that reads the same
// bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/launch.hpp"

namespace quadpair::bench {

/// Bytes that one warp reads and folds into one sum.
inline constexpr std::uint32_t stream_block = 2048;

/// A buffer to read: 16-byte aligned, a multiple of 16 bytes.
struct StreamRange {
  DevicePtr address = 0;
  std::uint64_t bytes = 0;

  std::uint64_t blocks() const { return (bytes + stream_block - 1) / stream_block; }
};

/// Two buffers, the second possibly empty, and what is written: for each block of 2048 bytes, those of
/// `first` before those of `second`, the exclusive or of its 32-bit words. That is 1/512 of the bytes read,
/// and proves that all were.
struct StreamArguments {
  StreamRange first, second;
  DevicePtr sums = 0;  ///< u32 [first.blocks() + second.blocks()]
};

/// The launches that read both buffers once. Throws Refused for an address or size that is not admitted, and
/// for more blocks than a grid holds.
std::vector<Launch> stream(const StreamArguments& arguments, Target target);

}  // namespace quadpair::bench
