// Where the lanes of a warp access memory relative to each other, and what that costs.
#pragma once

#include <cstdint>
#include <span>

#include "harness/device/emulator/observe/access.hpp"

namespace quadpair::emulator {

inline constexpr std::uint64_t kSectorBytes = 32;

/// Bytes on end that some lanes access together.
struct Span {
  std::int32_t offset = 0;  ///< from the first active lane's address
  std::uint16_t bytes = 0;
  std::uint16_t lane = 0;  ///< whose access begins it
};

/// Costs as GPUs since Maxwell have them. Global memory is requested in sectors of 32 aligned bytes. Shared
/// memory has 32 banks of 4 bytes and serves a warp at once, or 16 lanes of 8 bytes, or 8 lanes of 16; each
/// further word that such a group wants of its busiest bank is a conflict (CUDA Programming Guide, "Shared
/// Memory" of compute capability 5.x). Loads of 8 and 16 bytes are served for twice as many lanes at once
/// where both lanes of every pair i, i ^ 1 (or of every pair i, i ^ 2) want the same place or at most one of
/// them any: so measured on an H200 (reports/baselines/h200/access-patterns.json), and taken for all targets.
struct alignas(64) AccessPattern {
  std::uint64_t deltas[kWarpLanes] = {};    ///< addresses less the first active lane's, whose own is 0
  std::uint32_t lanes = 0;                  ///< active; 0: no pattern yet
  std::uint64_t place = 0, place_mask = 0;  ///< bits of that lane's address which the rest depends on
  /// Sectors of global memory by that address modulo 32; 0: not counted yet.
  std::uint8_t sectors_at[kSectorBytes] = {};
  std::uint32_t fewest = 0;     ///< sectors that would hold as many bytes, each counted once
  std::uint32_t conflicts = 0;  ///< of shared memory
  std::uint32_t shared_lanes = 0, global_lanes = 0;
  bool together = false;  ///< in one space, near each other, aligned if the first lane's address is
  std::int64_t low = 0;   ///< all accesses lie in [low, low + extent) from the first lane's address
  std::uint64_t extent = 0;
  std::uint32_t covered = 0;  ///< bytes of the spans together
  bool in_order = false;      ///< of all lanes, one after another without gaps
  std::uint32_t span_count = 0;
  Span all_spans[kWarpLanes] = {};

  std::span<const Span> spans() const { return {all_spans, span_count}; }  ///< ascending, disjoint
};

/// Sectors of the pattern where the first active lane goes to `address`.
std::uint32_t sectors(AccessPattern& pattern, std::uint64_t address);

/// The pattern of `lanes`, not 0; `addresses` lack the displacement.
AccessPattern make_pattern(const Access& access, const std::uint64_t* addresses, std::uint64_t displacement,
                           std::uint32_t lanes);

}  // namespace quadpair::emulator
