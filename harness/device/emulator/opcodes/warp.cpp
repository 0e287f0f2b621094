// Instructions of the whole warp: mma, shuffles, votes, barriers.
#include <fmt/format.h>

#include <bit>

#include "harness/device/emulator/domain.hpp"
#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/opcodes/control.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::emulator {
namespace {

const std::uint32_t* words_at(const std::byte* file, std::uint32_t offset) {
  return reinterpret_cast<const std::uint32_t*>(file + offset);
}

template <bool Full>
std::uint32_t active_lanes(const Context* context) {
  return Full ? kAllLanes : context->active;
}

template <MmaShape Shape, bool Full, class Domain>
const Instruction* mma(const Instruction* ip, std::byte* file, Context* context) {
  if (!Full && context->active != kAllLanes)
    throw_fault(ip, *context, ~context->active, "mma reached by a part of the warp");
  const WarpMma function = context->mma[static_cast<std::size_t>(Shape)];
  constexpr std::uint32_t results = Shape == MmaShape::m8n8k4 ? 8 : 4;
  constexpr std::uint32_t operands = Shape == MmaShape::m8n8k4 ? 20 : Shape == MmaShape::m16n8k8 ? 11 : 14;
  for (std::uint32_t i = results; i < operands; ++i) Domain::read(ip, context, ip->list[i]);
  function(file, ip->list);
  for (std::uint32_t i = 0; i < results; ++i) Domain::write(ip, context, ip->list[i]);
  QUADPAIR_CONTINUE(ip + 1);
}

/// Every active lane's member mask must name just the lanes that are here.
void check_members(const Instruction* ip, const Context* context, std::uint32_t active,
                   const std::uint32_t* masks) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if ((masks[lane] & context->warp->live) != active)
      throw_fault(ip, *context, 1u << lane,
                  fmt::format("member mask {:#010x}, but the lanes here are {:#010x}", masks[lane], active));
  }
}

enum class Shuffle { up, down, butterfly, index };

/// As the PTX ISA's pseudo code for shfl has it.
template <Shuffle Mode, bool Full>
void shuffle_lanes(const Instruction* ip, std::byte* file, const Context* context) {
  const std::uint32_t active = active_lanes<Full>(context);
  check_members(ip, context, active, words_at(file, ip->e));
  const std::uint32_t* a = words_at(file, ip->a);
  std::uint32_t results[kWarpLanes] = {}, inside = 0;
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t b = words_at(file, ip->b)[lane] & 31, c = words_at(file, ip->c)[lane];
    const std::uint32_t segment = c >> 8 & 31, clamp = c & 31;
    const std::uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    std::uint32_t from = 0;
    bool valid = false;
    switch (Mode) {
      case Shuffle::up:
        from = lane - b, valid = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(last);
        break;
      case Shuffle::down: from = lane + b, valid = from <= last; break;
      case Shuffle::butterfly: from = lane ^ b, valid = from <= last; break;
      case Shuffle::index: from = first | (b & ~segment), valid = from <= last; break;
    }
    if (!valid) from = lane;
    if ((active >> from & 1) == 0)
      throw_fault(ip, *context, 1u << lane, fmt::format("shfl reads lane {}, which is not here", from));
    results[lane] = a[from];
    if (valid) inside |= 1u << lane;
  }
  auto* d = reinterpret_cast<std::uint32_t*>(file + ip->d);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    d[lane] = results[lane];
  }
  auto* predicate = reinterpret_cast<std::uint32_t*>(file + ip->site);
  *predicate = (*predicate & ~active) | inside;
}

template <Shuffle Mode, bool Full, class Domain>
const Instruction* shuffle(const Instruction* ip, std::byte* file, Context* context) {
  for (const std::uint32_t source : {ip->a, ip->b, ip->c, ip->e}) Domain::read(ip, context, source);
  shuffle_lanes<Mode, Full>(ip, file, context);
  Domain::write(ip, context, ip->d);
  Domain::write(ip, context, ip->site);
  QUADPAIR_CONTINUE(ip + 1);
}

enum class Vote { all, any, uniform, ballot };

template <Vote V, bool Full, class Domain>
const Instruction* vote(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  Domain::read(ip, context, ip->b);
  const std::uint32_t active = active_lanes<Full>(context);
  check_members(ip, context, active, words_at(file, ip->b));
  const std::uint32_t holds = predicate_at(file, ip->a, 0) & active;
  auto* d = reinterpret_cast<std::uint32_t*>(file + ip->d);
  if (V == Vote::ballot) {
    for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) d[std::countr_zero(rest)] = holds;
  } else {
    const bool yes = V == Vote::all   ? holds == active
                     : V == Vote::any ? holds != 0
                                      : holds == 0 || holds == active;
    *d = (*d & ~active) | (yes ? active : 0);
  }
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full, class Domain>
const Instruction* active_mask(const Instruction* ip, std::byte* file, Context* context) {
  const std::uint32_t active = active_lanes<Full>(context);
  auto* d = reinterpret_cast<std::uint32_t*>(file + ip->d);
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) d[std::countr_zero(rest)] = active;
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// Lanes of a warp run together, so there is nothing to wait for.
template <bool Full, class Domain>
const Instruction* warp_barrier(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  check_members(ip, context, active_lanes<Full>(context), words_at(file, ip->a));
  QUADPAIR_CONTINUE(ip + 1);
}

using D = PlainDomain;

template <Shuffle Mode>
constexpr Handlers shuffles = {shuffle<Mode, true, D>, shuffle<Mode, false, D>};
template <Vote V>
constexpr Handlers votes = {vote<V, true, D>, vote<V, false, D>};

constexpr Opcode table[] = {
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
     Kind::mma,
     Form::mma,
     {8, 2, 2, 8},
     {mma<MmaShape::m8n8k4, true, D>, mma<MmaShape::m8n8k4, false, D>},
     {}},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
     Kind::mma,
     Form::mma,
     {4, 2, 1, 4},
     {mma<MmaShape::m16n8k8, true, D>, mma<MmaShape::m16n8k8, false, D>},
     {}},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     Kind::mma,
     Form::mma,
     {4, 4, 2, 4},
     {mma<MmaShape::m16n8k16, true, D>, mma<MmaShape::m16n8k16, false, D>},
     {}},
    {"shfl.sync.up.b32", Kind::warp, Form::shuffle, {}, shuffles<Shuffle::up>, {}},
    {"shfl.sync.down.b32", Kind::warp, Form::shuffle, {}, shuffles<Shuffle::down>, {}},
    {"shfl.sync.bfly.b32", Kind::warp, Form::shuffle, {}, shuffles<Shuffle::butterfly>, {}},
    {"shfl.sync.idx.b32", Kind::warp, Form::shuffle, {}, shuffles<Shuffle::index>, {}},
    {"vote.sync.all.pred", Kind::warp, Form::plain, {1, 1, 32}, votes<Vote::all>, {}},
    {"vote.sync.any.pred", Kind::warp, Form::plain, {1, 1, 32}, votes<Vote::any>, {}},
    {"vote.sync.uni.pred", Kind::warp, Form::plain, {1, 1, 32}, votes<Vote::uniform>, {}},
    {"vote.sync.ballot.b32", Kind::warp, Form::plain, {32, 1, 32}, votes<Vote::ballot>, {}},
    {"activemask.b32", Kind::warp, Form::plain, {32}, {active_mask<true, D>, active_mask<false, D>}, {}},
    {"bar.warp.sync", Kind::warp, Form::member_mask, {}, {warp_barrier<true, D>, warp_barrier<false, D>}, {}},
    {"bar.sync", Kind::barrier, Form::barrier, {}, {}, {}},
    {"bar.cta.sync", Kind::barrier, Form::barrier, {}, {}, {}},
    {"barrier.sync", Kind::barrier, Form::barrier, {}, {}, {}},
    {"barrier.sync.aligned", Kind::barrier, Form::barrier, {}, {}, {}},
    {"barrier.cta.sync", Kind::barrier, Form::barrier, {}, {}, {}},
    {"barrier.cta.sync.aligned", Kind::barrier, Form::barrier, {}, {}, {}},
    {"membar.cta", Kind::other, Form::nothing, {}, {}, {}},
    {"membar.gl", Kind::other, Form::nothing, {}, {}, {}},
    {"membar.sys", Kind::other, Form::nothing, {}, {}, {}},
    {"fence.acq_rel.cta", Kind::other, Form::nothing, {}, {}, {}},
    {"fence.acq_rel.gpu", Kind::other, Form::nothing, {}, {}, {}},
    {"fence.acq_rel.sys", Kind::other, Form::nothing, {}, {}, {}},
    {"fence.sc.cta", Kind::other, Form::nothing, {}, {}, {}},
    {"fence.sc.gpu", Kind::other, Form::nothing, {}, {}, {}},
    {"fence.sc.sys", Kind::other, Form::nothing, {}, {}, {}},
    {"setmaxnreg.inc.sync.aligned.u32", Kind::other, Form::nothing, {}, {}, {}},
    {"setmaxnreg.dec.sync.aligned.u32", Kind::other, Form::nothing, {}, {}, {}},
    {"griddepcontrol.wait", Kind::other, Form::wait_for_grid, {}, {}, {}},
    {"griddepcontrol.launch_dependents", Kind::other, Form::release_grid, {}, {}, {}},
};

}  // namespace

std::span<const Opcode> warp_opcodes() {
  return table;
}

}  // namespace quadpair::emulator
