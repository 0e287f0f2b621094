// Who wrote and read each part of a block's shared memory, and whether what they did is ordered.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "harness/device/emulator/lanes.hpp"
#include "harness/device/emulator/observe/pattern.hpp"

namespace quadpair::emulator {

/// An access that another thread's has to be ordered with, and is not; or one that finds nothing.
struct Hazard {
  enum class Kind : std::uint8_t { unwritten, in_flight, after_write, after_read, unfenced };
  Kind kind{};
  std::uint32_t warp = 0, lane = 0;  ///< who wrote or read; lane kWarpLanes: several
};

/// Warps run one at a time, and time advances at each barrier: of the block, of a part of it, or of a warp.
/// Each warp knows up to which time every other warp's accesses come before its own (a vector clock; Flanagan
/// and Freund, "FastTrack", 2009). Memory is looked at in grains, of which each access takes whole ones.
class SharedShadow {
 public:
  /// `grain`, a power of two, divides the size and the alignment of every access.
  void begin_launch(std::uint32_t bytes, std::uint32_t grain, std::uint32_t warps);
  void begin_block();

  /// A mask: each waits for all of them, and for those that have come to barrier `number` and gone on.
  void barrier(std::uint32_t warps, std::uint32_t number = 0);
  void arrive(std::uint32_t number, std::uint32_t warp);
  void warp_barrier(std::uint32_t warp);  ///< all lanes of it wait for each other

  /// One lane's access: what is wrong with it, first of all its grains. It is noted in any case.
  std::optional<Hazard> read(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                             std::uint32_t bytes);
  std::optional<Hazard> write(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                              std::uint32_t bytes);

  /// A warp's access of `bytes` a lane, the first active one's at `offset`. Does it where all is ordered by
  /// barriers, the usual case; else notes nothing and yields false.
  bool read_together(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes,
                     const AccessPattern& pattern);
  bool write_together(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes,
                      const AccessPattern& pattern);

  /// From its issue until its lane has waited for it, nobody may touch what a cp.async writes.
  std::optional<Hazard> issue_copy(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                                   std::uint32_t bytes);
  void finish_copy(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes);

  /// From its issue until it has been waited for, nobody may write what a wgmma reads; what it reads must
  /// have been written before by ordinary stores with a proxy fence of the writer's after them.
  std::optional<Hazard> issue_product(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes);
  void hold(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes);  ///< once more
  /// By `warp`; the other warps of its group let go. After the last one of a wait, products_finished().
  void finish_product(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes);
  void products_finished(std::uint32_t warp);
  /// The warp has waited for what another warp of its group has finished.
  void follow_products(std::uint32_t warp);
  void proxy_fence(std::uint32_t warp);

 private:
  // The last write of a grain: in flight (1 bit), time (21), warp (5), lane (5). A warp's last read of one:
  // time (26), lane (6).
  static constexpr std::uint32_t kInFlight = 1u << 31, kLastTime = (1u << 21) - 1;
  static constexpr std::uint32_t kNever = (1u << 26) - 1;  ///< the time of a read that is not over
  static std::uint32_t time_of_write(std::uint32_t write) { return (write & ~kInFlight) >> 10; }
  static std::uint32_t warp_of(std::uint32_t write) { return write >> 5 & 31; }

  std::uint32_t& known(std::uint32_t warp, std::uint32_t of) { return known_[warp * warps_ + of]; }
  std::uint32_t known(std::uint32_t warp, std::uint32_t of) const { return known_[warp * warps_ + of]; }
  std::uint32_t this_write(std::uint32_t warp, std::uint32_t lane) const {
    return now_ << 10 | warp << 5 | lane;
  }
  std::optional<Hazard> after_write(std::uint32_t warp, std::uint32_t lane, std::uint32_t grain) const;
  std::optional<Hazard> after_reads(std::uint32_t warp, std::uint32_t lane, std::uint32_t grain) const;
  std::optional<Hazard> store(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                              std::uint32_t bytes, std::uint32_t flags);
  void note_read(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes);
  template <class Place>
  void note_grains(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes, Place place);
  bool all_ordered(std::uint32_t end, std::uint32_t offset, std::uint32_t bytes,
                   const AccessPattern& pattern) const;
  void order();
  void advance();

  std::uint32_t shift_ = 0;  ///< a grain has 2^shift_ bytes
  std::uint32_t grains_ = 0, warps_ = 0;
  std::uint32_t now_ = 1, begun_ = 1;
  std::vector<std::uint32_t> writes_, reads_;  ///< [grains], [warps, grains]
  std::vector<std::uint32_t> last_reads_;      ///< [grains]: the time of the last one by any warp
  std::vector<std::uint32_t> known_;           ///< [warps, warps]: see known()
  /// By warp: the time up to which everything comes before what it does now.
  std::vector<std::uint32_t> ordered_before_;
  std::vector<std::uint32_t> fenced_;  ///< [warps]: the time of the last proxy fence
  std::vector<std::pair<std::uint32_t, std::uint32_t>> finished_;  ///< [warpgroups]: by whom last, and when
  std::vector<std::uint32_t> arrived_;  ///< [barriers, warps]: what those who have gone on knew
};

}  // namespace quadpair::emulator
