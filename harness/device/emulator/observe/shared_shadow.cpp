#include "harness/device/emulator/observe/shared_shadow.hpp"

#include <algorithm>
#include <bit>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {

void SharedShadow::begin_launch(std::uint32_t bytes, std::uint32_t grain, std::uint32_t warps) {
  shift_ = static_cast<std::uint32_t>(std::countr_zero(grain));
  grains_ = (bytes + grain - 1) >> shift_;
  warps_ = warps;
  now_ = 0;
  writes_.assign(grains_, 0);
  reads_.assign(std::size_t{grains_} * warps, 0);
  last_reads_.assign(grains_, 0);
  known_.assign(std::size_t{warps} * warps, 0);
  fenced_.assign(warps, 0);
  finished_.assign(warps / 4 + 1, {0, 0});
  arrived_.assign(std::size_t{kBarriers} * warps, 0);
  order();
}

/// What earlier blocks did is older than what every warp knows of.
void SharedShadow::begin_block() {
  if (now_ > kLastTime / 2) {
    std::ranges::fill(writes_, 0);
    std::ranges::fill(reads_, 0);
    std::ranges::fill(last_reads_, 0);
    now_ = 0;
  }
  std::ranges::fill(known_, now_);
  std::ranges::fill(fenced_, now_);
  std::ranges::fill(arrived_, 0);
  std::ranges::fill(finished_, std::pair(0u, 0u));
  order();
  begun_ = ++now_;
}

void SharedShadow::advance() {
  if (++now_ <= kLastTime) return;
  // Time is used up within one block, which takes two million barriers: everything counts as ordered once.
  for (std::uint32_t& write : writes_)
    write = time_of_write(write) < begun_ ? 0 : (write & (kInFlight | 1023u)) | 1u << 10;
  std::ranges::fill(reads_, 0);
  std::ranges::fill(last_reads_, 1);
  std::ranges::fill(known_, 1);
  std::ranges::fill(fenced_, 1);
  std::ranges::fill(arrived_, 1);
  std::ranges::fill(finished_, std::pair(0u, 0u));
  order();
  begun_ = 1;
  now_ = 2;
}

void SharedShadow::barrier(std::uint32_t warps, std::uint32_t number) {
  const auto arrived = arrived_.begin() + static_cast<std::ptrdiff_t>(number) * warps_;
  std::vector<std::uint32_t> together(arrived, arrived + warps_);
  std::fill_n(arrived, warps_, 0);
  for (std::uint32_t w = 0; w < warps_; ++w)
    for (std::uint32_t of = 0; (warps >> w & 1) != 0 && of < warps_; ++of)
      together[of] = std::max(together[of], (warps >> of & 1) != 0 ? now_ : known(w, of));
  for (std::uint32_t w = 0; w < warps_; ++w)
    if ((warps >> w & 1) != 0)
      std::ranges::copy(together, known_.begin() + static_cast<std::ptrdiff_t>(w) * warps_);
  order();
  advance();
}

void SharedShadow::arrive(std::uint32_t number, std::uint32_t warp) {
  std::uint32_t* const arrived = arrived_.data() + std::size_t{number} * warps_;
  for (std::uint32_t of = 0; of < warps_; ++of)
    arrived[of] = std::max(arrived[of], of == warp ? now_ : known(warp, of));
  advance();
}

void SharedShadow::proxy_fence(std::uint32_t warp) {
  fenced_[warp] = now_;
  advance();
}

void SharedShadow::warp_barrier(std::uint32_t warp) {
  known(warp, warp) = now_;
  order();
  advance();
}

std::optional<Hazard> SharedShadow::after_write(std::uint32_t warp, std::uint32_t lane,
                                                std::uint32_t grain) const {
  const std::uint32_t write = writes_[grain], by = warp_of(write), by_lane = write & 31;
  if (time_of_write(write) < begun_) return std::nullopt;
  if ((write & kInFlight) != 0) return Hazard{Hazard::Kind::in_flight, by, by_lane};
  if (time_of_write(write) <= known(warp, by) || (by == warp && by_lane == lane)) return std::nullopt;
  return Hazard{Hazard::Kind::after_write, by, by_lane};
}

std::optional<Hazard> SharedShadow::after_reads(std::uint32_t warp, std::uint32_t lane,
                                                std::uint32_t grain) const {
  for (std::uint32_t by = 0; by < warps_; ++by) {
    const std::uint32_t read = reads_[std::size_t{by} * grains_ + grain], by_lane = read & 63;
    if (read >> 6 <= known(warp, by) || (by == warp && by_lane == lane)) continue;
    return Hazard{Hazard::Kind::after_read, by, by_lane};
  }
  return std::nullopt;
}

void SharedShadow::note_read(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                             std::uint32_t bytes) {
  std::uint32_t* const reads = reads_.data() + std::size_t{warp} * grains_;
  const std::uint32_t now = now_ << 6 | lane, before = known(warp, warp);
  for (std::uint32_t grain = offset >> shift_; grain < (offset + bytes) >> shift_; ++grain) {
    const std::uint32_t read = reads[grain];
    const bool others = read >> 6 > before && (read & 63) != lane;
    reads[grain] = others ? now | kWarpLanes : now;
    last_reads_[grain] = std::max(last_reads_[grain], now_);  // that of a product may not be over
  }
}

std::optional<Hazard> SharedShadow::read(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                                         std::uint32_t bytes) {
  std::optional<Hazard> hazard;
  for (std::uint32_t grain = offset >> shift_; grain < (offset + bytes) >> shift_ && !hazard; ++grain) {
    hazard = after_write(warp, lane, grain);
    if (!hazard && time_of_write(writes_[grain]) < begun_) hazard = Hazard{Hazard::Kind::unwritten};
  }
  note_read(warp, lane, offset, bytes);
  return hazard;
}

std::optional<Hazard> SharedShadow::store(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                                          std::uint32_t bytes, std::uint32_t flags) {
  std::optional<Hazard> hazard;
  for (std::uint32_t grain = offset >> shift_; grain < (offset + bytes) >> shift_; ++grain) {
    if (!hazard) hazard = after_write(warp, lane, grain);
    if (!hazard) hazard = after_reads(warp, lane, grain);
    writes_[grain] = this_write(warp, lane) | flags;
  }
  return hazard;
}

std::optional<Hazard> SharedShadow::write(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                                          std::uint32_t bytes) {
  return store(warp, lane, offset, bytes, 0);
}

std::optional<Hazard> SharedShadow::issue_copy(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                                               std::uint32_t bytes) {
  return store(warp, lane, offset, bytes, kInFlight);
}

void SharedShadow::finish_copy(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset,
                               std::uint32_t bytes) {
  for (std::uint32_t grain = offset >> shift_; grain < (offset + bytes) >> shift_; ++grain)
    writes_[grain] = this_write(warp, lane);
}

std::optional<Hazard> SharedShadow::issue_product(std::uint32_t warp, std::uint32_t offset,
                                                  std::uint32_t bytes) {
  std::optional<Hazard> hazard;
  for (std::uint32_t grain = offset >> shift_; grain < (offset + bytes) >> shift_ && !hazard; ++grain) {
    const std::uint32_t write = writes_[grain], by = warp_of(write);
    hazard = after_write(warp, kWarpLanes, grain);
    if (!hazard && time_of_write(write) < begun_) hazard = Hazard{Hazard::Kind::unwritten};
    if (!hazard && time_of_write(write) > fenced_[by])
      hazard = Hazard{Hazard::Kind::unfenced, by, write & 31};
  }
  hold(warp, offset, bytes);
  return hazard;
}

void SharedShadow::hold(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes) {
  for (std::uint32_t grain = offset >> shift_; grain < (offset + bytes) >> shift_; ++grain) {
    reads_[std::size_t{warp} * grains_ + grain] = kNever << 6 | kWarpLanes;
    last_reads_[grain] = kNever;
  }
}

void SharedShadow::finish_product(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes) {
  for (std::uint32_t grain = offset >> shift_; grain < (offset + bytes) >> shift_; ++grain) {
    for (std::uint32_t w = warp / 4 * 4; w < std::min(warps_, warp / 4 * 4 + 4); ++w)
      reads_[std::size_t{w} * grains_ + grain] = w == warp ? now_ << 6 | kWarpLanes : 0;
    std::uint32_t last = 0;
    for (std::uint32_t w = 0; w < warps_; ++w)
      last = std::max(last, reads_[std::size_t{w} * grains_ + grain] >> 6);
    last_reads_[grain] = last;
  }
}

void SharedShadow::products_finished(std::uint32_t warp) {
  finished_[warp / 4] = {warp, now_};
  advance();
}

void SharedShadow::follow_products(std::uint32_t warp) {
  const auto [by, at] = finished_[warp / 4];
  known(warp, by) = std::max(known(warp, by), at);
  order();
}

void SharedShadow::order() {
  ordered_before_.resize(warps_);
  for (std::uint32_t w = 0; w < warps_; ++w) {
    const auto row = known_.begin() + static_cast<std::ptrdiff_t>(w) * warps_;
    ordered_before_[w] = *std::min_element(row, row + warps_);
  }
}

/// Each of the lanes reads one grain; `place` says which, from the one at `offset`.
template <class Place>
void SharedShadow::note_grains(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes, Place place) {
  const std::uint32_t before = known(warp, warp), now = now_;
  std::uint32_t* const reads = reads_.data() + std::size_t{warp} * grains_ + (offset >> shift_);
  std::uint32_t* const last_reads = last_reads_.data() + (offset >> shift_);
  const auto note = [&](std::uint32_t lane) {
    const std::ptrdiff_t grain = place(lane);
    const std::uint32_t read = reads[grain];
    const bool others = (read >> 6 > before) & ((read & 63) != lane);
    reads[grain] = now << 6 | lane | (others ? kWarpLanes : 0);
    last_reads[grain] = std::max(last_reads[grain], now);
  };
  if (lanes == kAllLanes)
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) note(lane);
  else
    for (; lanes != 0; lanes &= lanes - 1) note(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

bool SharedShadow::read_together(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes,
                                 const AccessPattern& pattern) {
  const std::uint32_t end = ordered_before_[warp] + 1;
  if (end <= begun_) return false;
  const std::uint32_t first = begun_ << 10, width = (end - begun_) << 10;
  std::uint32_t bad = 0;
  for (const Span& span : pattern.spans()) {
    const std::uint32_t* const writes =
        writes_.data() + ((offset + static_cast<std::uint32_t>(span.offset)) >> shift_);
    const std::uint32_t count = std::uint32_t{span.bytes} >> shift_;
    for (std::uint32_t i = 0; i < count; ++i) bad |= static_cast<std::uint32_t>(writes[i] - first >= width);
  }
  if (bad != 0) return false;
  if (bytes >> shift_ == 1) {
    const std::uint32_t lanes = pattern.shared_lanes, shift = shift_;
    if (pattern.in_order)
      note_grains(warp, offset, lanes, [](std::uint32_t lane) { return std::ptrdiff_t{lane}; });
    else
      note_grains(warp, offset, lanes, [&pattern, shift](std::uint32_t lane) {
        return static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(pattern.deltas[lane]) >> shift);
      });
    return true;
  }
  for (std::uint32_t rest = pattern.shared_lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    note_read(warp, lane, offset + static_cast<std::uint32_t>(pattern.deltas[lane]), bytes);
  }
  return true;
}

/// Whether all writes and reads of what the warp's lanes access came before `end`.
bool SharedShadow::all_ordered(std::uint32_t end, std::uint32_t offset, std::uint32_t bytes,
                               const AccessPattern& pattern) const {
  std::uint32_t bad = 0;
  const auto look = [&](std::uint32_t grain) {
    bad |= static_cast<std::uint32_t>(writes_[grain] >= end << 10);
    bad |= static_cast<std::uint32_t>(last_reads_[grain] >= end);
  };
  if (bytes >> shift_ == 1 && pattern.shared_lanes == kAllLanes) {
    for (const std::uint64_t delta : pattern.deltas)
      look((offset + static_cast<std::uint32_t>(delta)) >> shift_);
    return bad == 0;
  }
  for (const Span& span : pattern.spans()) {
    const std::uint32_t begin = (offset + static_cast<std::uint32_t>(span.offset)) >> shift_;
    const std::uint32_t count = std::uint32_t{span.bytes} >> shift_;
    for (std::uint32_t i = 0; i < count; ++i) look(begin + i);
  }
  return bad == 0;
}

bool SharedShadow::write_together(std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes,
                                  const AccessPattern& pattern) {
  // Where lanes share a place, it has fewer bytes than they write.
  if (pattern.covered != bytes * static_cast<std::uint32_t>(std::popcount(pattern.shared_lanes)) ||
      !all_ordered(ordered_before_[warp] + 1, offset, bytes, pattern))
    return false;
  std::uint32_t* const writes = writes_.data();
  const std::uint32_t shift = shift_, count = bytes >> shift, first_lane = this_write(warp, 0);
  for (std::uint32_t rest = pattern.shared_lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    std::uint32_t* const grains =
        writes + ((offset + static_cast<std::uint32_t>(pattern.deltas[lane])) >> shift);
    for (std::uint32_t i = 0; i < count; ++i) grains[i] = first_lane | lane;
  }
  return true;
}

}  // namespace quadpair::emulator
