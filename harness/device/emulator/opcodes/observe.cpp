// What is noted of memory accesses and registers before and after the instructions themselves.
#include "harness/device/emulator/opcodes/observe.hpp"
#include "harness/device/emulator/observe/observer.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/observe.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/addresses-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

HWY_INLINE bool same_deltas(const std::uint64_t* addresses, std::uint64_t first,
                            const AccessPattern& pattern) {
  const Tag<std::uint64_t> d;
  const auto base = hn::Set(d, first);
  auto differs = hn::Zero(d);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    differs =
        hn::Or(differs, hn::Xor(hn::Load(d, pattern.deltas + i), hn::Sub(hn::Load(d, addresses + i), base)));
  return hn::AllTrue(d, hn::Eq(differs, hn::Zero(d)));
}

/// The pattern of the access, counted.
HWY_INLINE const AccessPattern& counted(Context* context, std::uint32_t site, const std::uint64_t* addresses,
                                        std::uint64_t displacement, std::uint32_t lanes) {
  Observer& observer = *context->observer;
  AccessPattern* pattern = &observer.pattern(site, context->warp_index);
  const std::uint64_t first = addresses[std::countr_zero(lanes)], address = first + displacement;
  if (pattern->lanes != lanes || ((address ^ pattern->place) & pattern->place_mask) != 0 ||
      !same_deltas(addresses, first, *pattern))
    pattern = &observer.learn(*context->kernel, site, context->warp_index, addresses, displacement, lanes);
  observer.counts.add(*pattern, address);
  return *pattern;
}

/// Goes on to the access without `refused`, whose results become 0, so that what follows does not depend on
/// what was in the registers.
const Instruction* leave_out(const Instruction* ip, std::byte* file, Context* context,
                             std::uint32_t refused) {
  const Access& access = context->kernel->accesses[ip->site];
  for (std::uint32_t rest = refused; rest != 0; rest &= rest - 1)
    for (const std::uint32_t result : access.results)
      std::memset(file + result + static_cast<std::uint32_t>(std::countr_zero(rest)) * access.result_bytes, 0,
                  access.result_bytes);
  context->skipped = refused;
  context->active &= ~refused;
  return context->masked + ip->index + (context->active != 0 ? 1 : 2);
}

/// Yields the lanes that must not perform the access. (A handler with arrays of its own could not end in a
/// jump.)
template <Observation O, bool Full>
HWY_NOINLINE std::uint32_t judge_access(const Instruction* ip, std::byte* file, Context* context) {
  LaneAddresses scratch;
  const std::uint64_t* addresses = lane_addresses<Full>(ip->a, ip->e, file, context, scratch);
  const std::uint32_t lanes = Full ? kAllLanes : context->active;
  const AccessPattern& pattern = counted(context, ip->site, addresses, ip->immediate, lanes);
  if constexpr (O == Observation::faults) {
    const std::uint64_t first = addresses[std::countr_zero(lanes)] + ip->immediate;
    return context->observer->sanitizer.access(ip, *context, first, pattern);
  }
  return 0;
}

template <Observation O, bool Full>
const Instruction* access(const Instruction* ip, std::byte* file, Context* context) {
  const std::uint32_t refused = judge_access<O, Full>(ip, file, context);
  if (refused != 0) return leave_out(ip, file, context, refused);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* rejoin(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  if (Full || context->skipped == 0) QUADPAIR_CONTINUE(ip + 1);
  context->active |= context->skipped;
  context->skipped = 0;
  return continue_at(context, ip->index + 1);
}

/// Lanes that read the whole width count together, each other one for itself.
template <std::uint32_t Bytes, Observation O, bool Full>
HWY_NOINLINE std::uint32_t judge_copy(const Instruction* ip, std::byte* file, Context* context) {
  LaneAddresses from_scratch, to_scratch;
  const std::uint64_t* from = lane_addresses<Full>(ip->a, ip->e >> 16, file, context, from_scratch);
  const std::uint64_t* to = lane_addresses<Full>(ip->b, ip->e & 0xffff, file, context, to_scratch);
  const std::uint32_t* sizes = lanes_at<std::uint32_t>(file, ip->d);
  const std::uint32_t lanes = Full ? kAllLanes : context->active;
  counted(context, ip->site + 1, to, ip->c, lanes);
  std::uint32_t whole = 0, refused = 0;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const std::uint32_t size = sizes[lane];
    if (size >= Bytes)
      whole |= 1u << lane;
    else if (size != 0)
      ++context->observer->counts.sectors, ++context->observer->counts.fewest;
    if constexpr (O == Observation::faults)
      if (!context->observer->sanitizer.copy(ip, *context, lane, from[lane] + ip->immediate, size,
                                             static_cast<std::uint32_t>(to[lane] + ip->c), Bytes))
        refused |= 1u << lane;
  }
  if (whole != 0) counted(context, ip->site, from, ip->immediate, whole);
  return refused;
}

template <std::uint32_t Bytes, Observation O, bool Full>
const Instruction* copy(const Instruction* ip, std::byte* file, Context* context) {
  const std::uint32_t refused = judge_copy<Bytes, O, Full>(ip, file, context);
  if (refused != 0) return leave_out(ip, file, context, refused);
  QUADPAIR_CONTINUE(ip + 1);
}

HWY_NOINLINE void note_copies(Context* context, std::uint32_t lanes, std::uint32_t recent) {
  context->warp->copies.for_each_due(lanes, recent, [&](const AsyncCopy& copy, std::uint32_t due) {
    context->observer->sanitizer.copies_done(*context, copy, due);
  });
}

template <bool Full>
const Instruction* wait_group(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  note_copies(context, Full ? kAllLanes : context->active, static_cast<std::uint32_t>(ip->immediate));
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* warp_barrier(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  context->observer->sanitizer.warp_barrier(context->warp_index);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* wait_for_grid(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  context->observer->sanitizer.wait_for_grid(context->warp_index, Full ? kAllLanes : context->active);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* release_grid(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  context->observer->sanitizer.release_grid();
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* check_written(const Instruction* ip, std::byte* file, Context* context) {
  std::uint32_t* written = lanes_at<std::uint32_t>(file, ip->a);
  const std::uint32_t missing = (Full ? kAllLanes : context->active) & ~*written;
  if (missing != 0) {
    context->observer->sanitizer.unwritten_register(ip, *context, missing,
                                                    context->kernel->watched[ip->site].name);
    *written |= missing;  // told once
  }
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* mark_written(const Instruction* ip, std::byte* file, Context* context) {
  *lanes_at<std::uint32_t>(file, ip->a) |= Full ? kAllLanes : context->active;
  QUADPAIR_CONTINUE(ip + 1);
}

template <Observation O>
Observers observers_for() {
  return {.access = {access<O, true>, access<O, false>},
          .copy4 = {copy<4, O, true>, copy<4, O, false>},
          .copy8 = {copy<8, O, true>, copy<8, O, false>},
          .copy16 = {copy<16, O, true>, copy<16, O, false>},
          .rejoin = {rejoin<true>, rejoin<false>},
          .wait_group = {wait_group<true>, wait_group<false>},
          .warp_barrier = {warp_barrier<true>, warp_barrier<false>},
          .wait_for_grid = {wait_for_grid<true>, wait_for_grid<false>},
          .release_grid = {release_grid<true>, release_grid<false>},
          .check_written = {check_written<true>, check_written<false>},
          .mark_written = {mark_written<true>, mark_written<false>}};
}

Observers counting_observers() {
  return observers_for<Observation::counts>();
}

Observers fault_observers() {
  return observers_for<Observation::faults>();
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(Observers, counting_observers)
QUADPAIR_CHOOSE_AT_RUN_TIME(Observers, fault_observers)

#if HWY_ONCE
namespace quadpair::emulator {

Observers observers(Observation observation) {
  return observation == Observation::faults ? fault_observers() : counting_observers();
}

}  // namespace quadpair::emulator
#endif
