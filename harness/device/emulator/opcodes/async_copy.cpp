// cp.async and its groups.
#include "harness/device/emulator/async_copies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/async_copy.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/addresses-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

/// Each active lane's addresses by themselves; a lane that reads nothing may point anywhere.
template <std::uint32_t Bytes>
HWY_NOINLINE void check_copy(const Instruction* ip, Context* context, AsyncCopy& copy,
                             const std::uint64_t* from, const std::uint64_t* to) {
  for (std::uint32_t rest = copy.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (copy.read[lane] > Bytes)
      throw_fault(ip, *context, 1u << lane,
                  fmt::format("copy of {} bytes, of which {} come from the source", Bytes, copy.read[lane]));
    if (copy.read[lane] != 0)
      copy.source[lane] =
          check_lane(ip, context, lane, from[lane] + ip->immediate, copy.read[lane], Bytes, 0);
    check_lane(ip, context, lane, to[lane] + ip->c, Bytes, Bytes, AccessFlags::store | AccessFlags::shared);
  }
}

/// `a` and `immediate` are the source, `b` and `c` the destination, `d` the bytes that are read; `e` holds
/// the AccessFlags of the destination, and from bit 16 on those of the source.
template <std::uint32_t Bytes, bool Full, class Domain>
const Instruction* copy(const Instruction* ip, std::byte* file, Context* context) {
  for (const std::uint32_t source : {ip->a, ip->b, ip->d}) Domain::read(ip, context, source);
  LaneAddresses from_scratch, to_scratch, read_from;
  const std::uint64_t* from = lane_addresses<Full>(ip->a, ip->e >> 16, file, context, from_scratch);
  const std::uint64_t* to = lane_addresses<Full>(ip->b, ip->e & 0xffff, file, context, to_scratch);
  const std::uint32_t* sizes = lanes_at<std::uint32_t>(file, ip->d);
  AsyncCopy& issued = context->warp->copies.issue(Full ? kAllLanes : context->active, Bytes);

  const Range range = context->ranges[ip->site];
  const std::uint64_t harmless = range.begin - ip->immediate;  // for lanes that read nothing
  std::uint32_t largest = 0;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t size = Full || (context->active >> lane & 1) ? sizes[lane] : 0;
    largest = std::max(largest, size);
    issued.read[lane] = size;
    issued.source[lane] = from[lane] + ip->immediate + range.to_host;
    issued.destination[lane] = static_cast<std::uint32_t>(to[lane] + ip->c);
    read_from.at[lane] = size != 0 ? from[lane] : harmless;
  }
  if (largest > Bytes || !all_within<Bytes>(read_from.at, ip->immediate, range) ||
      !all_within<Bytes>(to, ip->c, {0, context->shared_bytes}))
    check_copy<Bytes>(ip, context, issued, from, to);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full, class Domain>
const Instruction* commit_group(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  context->warp->copies.commit(Full ? kAllLanes : context->active);
  QUADPAIR_CONTINUE(ip + 1);
}

/// `immediate`: how many groups may stay.
template <bool Full, class Domain>
const Instruction* wait_group(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  const auto recent = static_cast<std::uint32_t>(ip->immediate);
  context->warp->copies.wait(Full ? kAllLanes : context->active, recent, context->shared);
  QUADPAIR_CONTINUE(ip + 1);
}

using D = PlainDomain;
constexpr Opcode table[] = {
    {"b32", Kind::copy_async, Form::plain, {}, {copy<4, true, D>, copy<4, false, D>}, {}},
    {"b64", Kind::copy_async, Form::plain, {}, {copy<8, true, D>, copy<8, false, D>}, {}},
    {"b128", Kind::copy_async, Form::plain, {}, {copy<16, true, D>, copy<16, false, D>}, {}},
    {"commit_group", Kind::other, Form::plain, {}, {commit_group<true, D>, commit_group<false, D>}, {}},
    {"wait_group", Kind::other, Form::plain, {}, {wait_group<true, D>, wait_group<false, D>}, {}},
};

std::span<const Opcode> async_copies() {
  return table;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, async_copies)
