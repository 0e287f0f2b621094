#include "harness/device/emulator/observe/sanitizer.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/observe/written_bytes.hpp"

namespace quadpair::emulator {
namespace {

/// The shortest access that may go to shared memory.
std::uint32_t grain_of(const Kernel& kernel) {
  std::uint32_t grain = 16;
  for (const Access& access : kernel.accesses)
    if (access.space != Space::global) grain = std::min(grain, access.bytes);
  return grain;
}

std::string who(const Hazard& hazard) {
  return hazard.lane < kWarpLanes ? fmt::format("warp {}, lane {}", hazard.warp, hazard.lane)
                                  : fmt::format("lanes of warp {}", hazard.warp);
}

std::string text_of(const Hazard& hazard) {
  switch (hazard.kind) {
    case Hazard::Kind::unwritten: return "nothing in this block wrote there";
    case Hazard::Kind::in_flight: return fmt::format("a cp.async of {} is still to write there", who(hazard));
    case Hazard::Kind::after_write:
      return fmt::format("race: {} wrote there, with no barrier between", who(hazard));
    case Hazard::Kind::after_read:
      return fmt::format("race: {} read there, with no barrier between", who(hazard));
    case Hazard::Kind::unfenced:
      return fmt::format("{} wrote there, with no fence.proxy.async between", who(hazard));
  }
  return "";
}

FaultKind kind_of(const Hazard& hazard) {
  switch (hazard.kind) {
    case Hazard::Kind::unwritten: return FaultKind::unwritten_memory;
    case Hazard::Kind::in_flight: return FaultKind::in_flight;
    case Hazard::Kind::unfenced: return FaultKind::unfenced;
    default: return FaultKind::race;
  }
}

}  // namespace

void Sanitizer::begin_launch(const Kernel& kernel, std::uint32_t shared_bytes, std::uint32_t warps) {
  findings_.clear();
  stores_.clear();
  shadow_.begin_launch(shared_bytes, grain_of(kernel), warps);
  regions_.assign(kernel.accesses.size(), nullptr);
  waited_.resize(warps);
}

void Sanitizer::begin_block() {
  stores_.begin_block();
  shadow_.begin_block();
  std::ranges::fill(waited_, 0);
  released_ = false;
}

void Sanitizer::barrier(std::uint32_t warps, std::uint32_t number) {
  shadow_.barrier(warps, number);
  std::uint32_t waited = 0;
  for (std::size_t w = 0; w < waited_.size(); ++w)
    if ((warps >> w & 1) != 0) waited |= waited_[w];
  if (waited == 0) return;
  for (std::size_t w = 0; w < waited_.size(); ++w)
    if ((warps >> w & 1) != 0) waited_[w] = kAllLanes;
}

void Sanitizer::add(const One& one, FaultKind kind, const std::string& what) {
  findings_.add(one.ip->index, kind, one.context.linear_block, [&] {
    return fmt::format("{}: {}",
                       place_text(*one.context.kernel, one.ip->index, one.context.block_index,
                                  one.context.warp_index, 1u << one.lane),
                       what);
  });
}

void Sanitizer::add(const One& one, const Hazard& hazard) {
  add(one, kind_of(hazard),
      fmt::format("{} of {} bytes at shared address {:#x}: {}", one.store() ? "write" : "read", one.bytes,
                  one.address % kSharedWindow, text_of(hazard)));
}

void Sanitizer::unwritten_register(const Instruction* ip, const Context& context, std::uint32_t lanes,
                                   const std::string& name) {
  findings_.add(ip->index, FaultKind::unwritten_register, context.linear_block, [&] {
    return fmt::format("{}: read of register {} that nothing wrote",
                       place_text(*context.kernel, ip->index, context.block_index, context.warp_index, lanes),
                       name);
  });
}

/// Bytes must have been written before the launch or by this block: other blocks' stores come in no order.
void Sanitizer::global_read(const One& one, const Region& region) {
  if (region.written == nullptr || region.written->all(one.address - region.begin, one.bytes)) return;
  if (stores_.block_stored(one.address, one.bytes)) return;
  add(one, FaultKind::unwritten_memory,
      fmt::format("read of {} bytes at address {:#x}, which neither this block nor anything before the "
                  "launch wrote: {}",
                  one.bytes, one.address, one.context.memory->describe(one.address)));
}

void Sanitizer::log_store(const One& one, std::uint32_t bytes) {
  stores_.add(
      {one.address, bytes, one.ip->index, one.context.linear_block, one.context.warp_index, one.lane});
}

/// Whether the lane may perform its access.
bool Sanitizer::judge(const One& one, std::uint32_t align) {
  const Region* region = nullptr;
  const std::string why = why_refused(one.context, one.address, one.bytes, align, one.flags, region);
  if (!why.empty()) {
    add(one, FaultKind::refused_access, why);
    return false;
  }
  if (region == nullptr) {
    const auto offset = static_cast<std::uint32_t>(one.address % kSharedWindow);
    const std::uint32_t warp = one.context.warp_index;
    const auto hazard = one.store() ? shadow_.write(warp, one.lane, offset, one.bytes)
                                    : shadow_.read(warp, one.lane, offset, one.bytes);
    if (hazard) add(one, *hazard);
    return true;
  }
  regions_[one.ip->site] = region;
  one.context.ranges[one.ip->site] = region->range();
  if (!one.store()) {
    global_read(one, *region);
    return true;
  }
  log_store(one, one.bytes);
  if (early_store(one.context.warp_index, 1u << one.lane))
    add(one, FaultKind::early_store,
        fmt::format("write of {} bytes at address {:#x} after griddepcontrol.launch_dependents, but before "
                    "griddepcontrol.wait: the launch ahead may still be running",
                    one.bytes, one.address));
  return true;
}

/// Does the whole access where it goes to one buffer and finds nothing amiss.
bool Sanitizer::global_together(const Instruction* ip, const Context& context, const Access& access,
                                std::uint64_t first, const AccessPattern& pattern) {
  if (first % access.bytes != 0) return false;
  const std::uint64_t low = first + static_cast<std::uint64_t>(pattern.low);
  const Region*& region = regions_[ip->site];
  const auto inside = [&] {
    return pattern.extent <= region->bytes && low - region->begin <= region->bytes - pattern.extent;
  };
  if (region == nullptr || !inside()) {
    const Region* found = context.memory->find(low, pattern.extent);
    if (found == nullptr || (access.store && !found->writable)) return false;
    region = found;
    context.ranges[ip->site] = region->range();
  }
  if (access.store) {
    if (early_store(context.warp_index, pattern.lanes)) return false;
    for (const Span& span : pattern.spans())
      log_store({ip, context, span.lane, first + static_cast<std::uint64_t>(span.offset), 0, ip->e},
                span.bytes);
    return true;
  }
  const WrittenBytes* written = region->written;
  if (written == nullptr || written->complete()) return true;
  return std::ranges::all_of(pattern.spans(), [&](const Span& span) {
    return written->all(first + static_cast<std::uint64_t>(span.offset) - region->begin, span.bytes);
  });
}

/// Does the whole access where all that it meets is ordered by barriers.
bool Sanitizer::shared_together(const Context& context, const Access& access, std::uint64_t offset,
                                const AccessPattern& pattern) {
  if (offset % access.bytes != 0) return false;
  const std::uint64_t low = offset + static_cast<std::uint64_t>(pattern.low);
  if (pattern.extent > context.shared_bytes || low > context.shared_bytes - pattern.extent) return false;
  const auto first = static_cast<std::uint32_t>(offset);
  return access.store ? shadow_.write_together(context.warp_index, first, access.bytes, pattern)
                      : shadow_.read_together(context.warp_index, first, access.bytes, pattern);
}

std::uint32_t Sanitizer::access(const Instruction* ip, const Context& context, std::uint64_t first,
                                const AccessPattern& pattern) {
  const Access& access = context.kernel->accesses[ip->site];
  if (pattern.together) {
    const std::uint64_t window = access.space == Space::generic ? kSharedWindow : 0;
    const bool done = pattern.shared_lanes == 0 ? global_together(ip, context, access, first, pattern)
                                                : shared_together(context, access, first - window, pattern);
    if (done) return 0;
  }
  std::uint32_t refused = 0;
  for (std::uint32_t rest = pattern.lanes & access.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (!judge({ip, context, lane, first + pattern.deltas[lane], access.bytes, ip->e}, access.bytes))
      refused |= 1u << lane;
  }
  return refused != 0 && access.whole_warp ? pattern.lanes : refused;
}

void Sanitizer::product_issued(const Instruction* ip, const Context& context, const StagedMatrix& matrix,
                               std::uint32_t rows) {
  for (std::uint32_t row = 0; row < rows; ++row)
    if (const auto hazard = shadow_.issue_product(context.warp_index, matrix.row(row), 32))
      add({ip, context, 0, matrix.row(row), 32, AccessFlags::shared}, *hazard);
}

void Sanitizer::product_done(const Context& context, const StagedMatrix& matrix, std::uint32_t rows) {
  for (std::uint32_t row = 0; row < rows; ++row)
    shadow_.finish_product(context.warp_index, matrix.row(row), 32);
}

void Sanitizer::product_pending(std::uint32_t warp, const StagedMatrix& matrix, std::uint32_t rows) {
  for (std::uint32_t row = 0; row < rows; ++row) shadow_.hold(warp, matrix.row(row), 32);
}

bool Sanitizer::copy(const Instruction* ip, const Context& context, std::uint32_t lane, std::uint64_t source,
                     std::uint32_t read, std::uint32_t destination, std::uint32_t bytes) {
  const Region* region = nullptr;
  if (read != 0 && read <= bytes) {
    const One from{ip, context, lane, source, read, 0};
    const std::string why = why_refused(context, source, read, bytes, from.flags, region);
    if (!why.empty()) {
      add(from, FaultKind::refused_access, why);
      return false;
    }
    global_read(from, *region);
  }
  const One to{ip, context, lane, destination, bytes, AccessFlags::store | AccessFlags::shared};
  const std::string why = why_refused(context, destination, bytes, bytes, to.flags, region);
  if (!why.empty()) {
    add(to, FaultKind::refused_access, why);
    return false;
  }
  if (const auto hazard = shadow_.issue_copy(context.warp_index, lane, destination, bytes)) add(to, *hazard);
  return true;
}

void Sanitizer::copies_done(const Context& context, const AsyncCopy& copy, std::uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    shadow_.finish_copy(context.warp_index, lane, copy.destination[lane], copy.bytes);
  }
}

}  // namespace quadpair::emulator
