// Branches and what follows from them: the reconvergence stack, guards, exits, barriers.
#include "harness/device/emulator/opcodes/control.hpp"

#include <bit>

#include <fmt/format.h>

#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"

namespace quadpair::emulator {
namespace {

template <bool Full>
std::uint32_t active_lanes(const Context* context) {
  return Full ? kAllLanes : context->active;
}

/// The end of a basic block: counted here once for all its instructions.
inline void count_block(const Instruction* ip, Context* context) {
  ++context->executions[ip->site];
  context->slice -= static_cast<std::int64_t>(ip->immediate);
  if (context->slice < 0) refill(ip, context);
}

/// Lets the lanes on top of the stack run; null when none is left.
const Instruction* pop(Context* context) {
  Warp& warp = *context->warp;
  while (warp.depth != 0) {
    const Frame& frame = warp.frames[--warp.depth];
    if (frame.lanes == 0) continue;  // all have exited
    context->active = frame.lanes;
    warp.join = frame.join;
    return continue_at(context, frame.pc);
  }
  warp.resume = nullptr;
  return nullptr;
}

/// `lanes` of the active ones exit.
const Instruction* exit_lanes(const Instruction* ip, Context* context, std::uint32_t lanes) {
  Warp& warp = *context->warp;
  warp.live &= ~lanes;
  for (std::uint32_t i = 0; i < warp.depth; ++i) warp.frames[i].lanes &= ~lanes;
  context->active &= ~lanes;
  if (context->active != 0) return context->masked + ip->index + 1;
  return pop(context);
}

template <class Domain, bool Full>
const Instruction* jump(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  count_block(ip, context);
  QUADPAIR_CONTINUE(ip->target);
}

/// Two sides: the taken one runs first, the other waits on the stack, above the lanes that meet at the join.
template <bool Full>
const Instruction* diverge(const Instruction* ip, Context* context, std::uint32_t taken) {
  Warp& warp = *context->warp;
  const std::uint32_t active = active_lanes<Full>(context);
  const auto target = static_cast<std::uint32_t>(context->masked[ip->index].target - context->masked);
  ++context->divergences;
  const std::uint32_t next = ip->index + 1;
  if (ip->join != kNoJoin) warp.frames[warp.depth++] = {ip->join, warp.join, active};
  warp.join = ip->join;
  context->active = taken;
  const bool taken_waits = target == ip->join, others_wait = next == ip->join;
  if (others_wait) return context->masked + target;
  if (taken_waits) {
    context->active = active & ~taken;
    return context->masked + next;
  }
  warp.frames[warp.depth++] = {next, ip->join, active & ~taken};
  return context->masked + target;
}

template <class Domain, bool Full>
const Instruction* branch(const Instruction* ip, std::byte* file, Context* context) {
  count_block(ip, context);
  Domain::read(ip, context, ip->a);
  const std::uint32_t active = active_lanes<Full>(context);
  const std::uint32_t taken = predicate_at(file, ip->a, ip->b) & active;
  if (taken == 0) QUADPAIR_CONTINUE(ip + 1);
  if (taken == active) QUADPAIR_CONTINUE(ip->target);
  return diverge<Full>(ip, context, taken);
}

/// Where sides of a branch meet. Full warps have nothing to wait for.
template <bool Full>
const Instruction* join(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  if (!Full && context->warp->join == ip->index) return pop(context);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* exit(const Instruction* ip, std::byte*, Context* context) {
  count_block(ip, context);
  return exit_lanes(ip, context, active_lanes<Full>(context));
}

template <class Domain, bool Full>
const Instruction* guarded_exit(const Instruction* ip, std::byte* file, Context* context) {
  count_block(ip, context);
  Domain::read(ip, context, ip->a);
  const std::uint32_t active = active_lanes<Full>(context);
  const std::uint32_t leaving = predicate_at(file, ip->a, ip->b) & active;
  if (leaving == 0) QUADPAIR_CONTINUE(ip + 1);
  if (leaving != active) ++context->divergences;
  return exit_lanes(ip, context, leaving);
}

/// Before a guarded instruction: narrows the active lanes to those whose guard holds; without any, skips the
/// instruction and its unguard.
template <class Domain, bool Full>
const Instruction* guard(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  const std::uint32_t active = active_lanes<Full>(context);
  const std::uint32_t lanes = predicate_at(file, ip->a, ip->b) & active;
  if (lanes == 0) QUADPAIR_CONTINUE(ip->target);
  context->guarded = active;
  if (lanes == active) QUADPAIR_CONTINUE(ip + 1);
  context->active = lanes;
  return context->masked + ip->index + 1;
}

/// Before what a load does instead in lanes whose guard does not hold: goes straight to the load when it
/// holds in all.
template <class Domain, bool Full>
const Instruction* guard_all(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  const std::uint32_t active = active_lanes<Full>(context);
  if ((~predicate_at(file, ip->a, ip->b) & active) != 0) QUADPAIR_CONTINUE(ip + 1);
  context->guarded = active;
  QUADPAIR_CONTINUE(ip->target);
}

template <bool Full>
const Instruction* unguard(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  if (Full) QUADPAIR_CONTINUE(ip + 1);
  context->active = context->guarded;
  if (context->active == kAllLanes) return context->full + ip->index + 1;
  QUADPAIR_CONTINUE(ip + 1);
}

/// Its operands are constants where `c` is set, else registers.
template <class Domain, bool Full>
const Instruction* barrier(const Instruction* ip, std::byte* file, Context* context) {
  Warp& warp = *context->warp;
  if (!Full && context->active != warp.live)
    throw_fault(ip, *context, warp.live & ~context->active, "barrier reached by a part of the warp");
  if (ip->c != 0) {
    warp.barrier = ip->a;
    warp.barrier_threads = ip->b;
  } else {
    Domain::read(ip, context, ip->a);
    Domain::read(ip, context, ip->b);
    warp.barrier = common_value(ip, *context, file, ip->a);
    warp.barrier_threads = common_value(ip, *context, file, ip->b);
  }
  if (warp.barrier >= kBarriers)
    throw_fault(ip, *context, 0, fmt::format("barrier {} of {}", warp.barrier, kBarriers));
  warp.resume = ip + 1;
  warp.waits = true;
  return nullptr;
}

}  // namespace

std::uint32_t common_value(const Instruction* ip, const Context& context, const std::byte* file,
                           std::uint32_t offset) {
  const auto* values = reinterpret_cast<const std::uint32_t*>(file + offset);
  const std::uint32_t first = values[std::countr_zero(context.active)];
  for (std::uint32_t rest = context.active; rest != 0; rest &= rest - 1)
    if (values[std::countr_zero(rest)] != first)
      throw_fault(ip, context, rest, "barrier with operands that differ between lanes");
  return first;
}

Utilities control_utilities() {
  using D = PlainDomain;
  Utilities u;
  u.jump = {jump<D, true>, jump<D, false>};
  u.branch = {branch<D, true>, branch<D, false>};
  u.exit = {exit<true>, exit<false>};
  u.guarded_exit = {guarded_exit<D, true>, guarded_exit<D, false>};
  u.join = {join<true>, join<false>};
  u.guard = {guard<D, true>, guard<D, false>};
  u.guard_all = {guard_all<D, true>, guard_all<D, false>};
  u.unguard = {unguard<true>, unguard<false>};
  u.barrier = {barrier<D, true>, barrier<D, false>};
  return u;
}

}  // namespace quadpair::emulator
