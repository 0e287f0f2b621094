// Four neighbouring warps that multiply together.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

inline constexpr std::uint32_t kGroupWarps = 4, kGroupRows = 64;
/// In Warp::barrier: waits until its group has issued the products that it waits for.
inline constexpr std::uint32_t kGroupBarrier = kBarriers;

/// N of "wgmma.mma_async.sync.aligned.m64nNk16.f32.f16.f16" with N a multiple of 8 up to 256; else 0.
std::uint32_t warpgroup_columns(std::string_view mnemonic);

/// Whether all warps of `warp`'s group have issued their first `products`.
bool group_has_issued(const Warp* warps, std::size_t count, std::uint32_t warp, std::uint64_t products);

/// Where B's rows, the columns of the product, or A's rows lie: 16 k of each, in shared memory with rows of
/// 128 bytes whose eight 16-byte chunks are exchanged by the row's place among eight (PTX ISA, "Matrix
/// Descriptor", "Strides", K-major, 128-byte swizzling).
class StagedMatrix {
 public:
  explicit StagedMatrix(std::uint64_t descriptor);

  /// Why the descriptor is not supported, or empty.
  const std::string& refusal() const { return refusal_; }

  /// Byte address of the 32 bytes of a row; its halves are exchanged where `swapped`.
  std::uint32_t row(std::uint32_t index) const {
    const std::uint32_t at = start_ + index / 8 * stride_ + index % 8 * 128;
    return (at ^ (at >> 7 & 7) << 4) & ~31u;
  }
  bool swapped(std::uint32_t index) const { return ((start_ >> 4 ^ index) & 1) != 0; }
  /// Of one of a row's 16 k.
  std::uint32_t address(std::uint32_t index, std::uint32_t k) const {
    return row(index) + (k / 8 == (swapped(index) ? 1u : 0u) ? 0 : 16) + k % 8 * 2;
  }

 private:
  std::uint32_t start_ = 0, stride_ = 0;
  std::string refusal_;
};

}  // namespace quadpair::emulator
