// wgmma: issue, groups, waits; what bar.arrive and proxy fences do beside.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/observe/observer.hpp"
#include "harness/device/emulator/opcodes/control.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/warpgroup.hpp"

namespace quadpair::emulator {
namespace {

constexpr std::uint32_t kOperands = 14;  ///< of one m16n8k16: d[4], c[4], a[4], b[2]

Sanitizer* sanitizer(const Context* context) {
  return context->kernel->observation == Observation::faults ? &context->observer->sanitizer : nullptr;
}

template <bool Full>
void require_whole_warp(const Instruction* ip, const Context* context) {
  if (!Full && context->active != kAllLanes)
    throw_fault(ip, *context, ~context->active, "wgmma reached by a part of the warp");
}

/// `d`: of the descriptor; `a`: of the list of A's registers; `c`: columns.
void issue(const Instruction* ip, const std::byte* file, Context* context) {
  const auto* descriptors = reinterpret_cast<const std::uint64_t*>(file + ip->d);
  if (std::any_of(descriptors, descriptors + kWarpLanes, [&](std::uint64_t d) { return d != *descriptors; }))
    throw_fault(ip, *context, 0, "wgmma with descriptors that differ between lanes");
  const StagedMatrix matrix(*descriptors);
  if (!matrix.refusal().empty()) throw_fault(ip, *context, 0, matrix.refusal());
  for (std::uint32_t column = 0; column < ip->c; ++column)
    if (std::uint64_t{matrix.row(column)} + 32 > context->shared_bytes)
      throw_fault(ip, *context, 0,
                  fmt::format("column {} of B at shared address {:#x}, past the end of shared memory", column,
                              matrix.row(column)));
  AsyncMma& product = context->warp->mmas.issue();
  product.ip = ip;
  product.descriptor = *descriptors;
  const std::uint32_t* registers = ip->list + kOperands * (ip->c / 8);
  for (int i = 0; i < 4; ++i) std::memcpy(product.a[i], file + registers[i], sizeof product.a[i]);
  if (Sanitizer* const observer = sanitizer(context)) observer->product_issued(ip, *context, matrix);
}

/// The columns 8 block.. of B as a fragment of m16n8k16.
void load_fragment(const StagedMatrix& matrix, const std::byte* shared, std::uint32_t block,
                   std::uint32_t* low, std::uint32_t* high) {
  for (std::uint32_t r = 0; r < 8; ++r) {
    const std::uint32_t column = 8 * block + r;
    const std::byte* row = shared + matrix.row(column);
    const std::uint32_t first = matrix.swapped(column) ? 16 : 0;
    std::memcpy(low + 4 * r, row + first, 16);
    std::memcpy(high + 4 * r, row + (16 - first), 16);
  }
}

/// The next product of the whole group.
void perform_next(const Instruction* ip, Context* context, Warp* group) {
  const AsyncMma& product = group[0].mmas.next();
  for (std::uint32_t w = 1; w < kGroupWarps; ++w)
    if (group[w].mmas.next().ip != product.ip || group[w].mmas.next().descriptor != product.descriptor)
      throw_fault(ip, *context, 0, "the warps of a warpgroup have issued different products");
  const StagedMatrix matrix(product.descriptor);
  const Instruction& code = *product.ip;
  const WarpMma multiply = context->mma[static_cast<std::size_t>(MmaShape::m16n8k16)];
  for (std::uint32_t w = 0; w < kGroupWarps; ++w)
    for (std::uint32_t i = 0; i < 4; ++i)
      std::memcpy(group[w].file + code.list[8 + i], group[w].mmas.next().a[i], sizeof product.a[i]);
  std::uint32_t low[kWarpLanes], high[kWarpLanes];
  for (std::uint32_t block = 0; block < code.c / 8; ++block) {
    const std::uint32_t* operands = code.list + kOperands * block;
    load_fragment(matrix, context->shared, block, low, high);
    for (std::uint32_t w = 0; w < kGroupWarps; ++w) {
      std::memcpy(group[w].file + operands[12], low, sizeof low);
      std::memcpy(group[w].file + operands[13], high, sizeof high);
      multiply(group[w].file, operands);
    }
  }
  for (std::uint32_t w = 0; w < kGroupWarps; ++w) group[w].mmas.finish_next();
}

template <bool Full>
const Instruction* product(const Instruction* ip, std::byte* file, Context* context) {
  require_whole_warp<Full>(ip, context);
  issue(ip, file, context);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full>
const Instruction* commit_group(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  require_whole_warp<Full>(ip, context);
  context->warp->mmas.commit();
  QUADPAIR_CONTINUE(ip + 1);
}

/// Performs the products of closed groups but the last ones, once the whole warpgroup has issued them; until
/// then the warp stops here.
template <bool Full>
const Instruction* wait_group(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  require_whole_warp<Full>(ip, context);
  Warp& warp = *context->warp;
  const std::uint64_t wanted = warp.mmas.wait(static_cast<std::uint32_t>(ip->immediate));
  if (wanted > warp.mmas.done()) {
    if (!group_has_issued(context->warps, context->warp_count, context->warp_index, wanted)) {
      warp.resume = ip;
      warp.waits = true;
      warp.barrier = kGroupBarrier;
      return nullptr;
    }
    Warp* const group = context->warps + context->warp_index / kGroupWarps * kGroupWarps;
    Sanitizer* const observer = sanitizer(context);
    while (warp.mmas.done() < wanted) {
      const StagedMatrix matrix(group[0].mmas.next().descriptor);
      const std::uint32_t columns = group[0].mmas.next().ip->c;
      perform_next(ip, context, group);
      if (observer != nullptr) observer->product_done(*context, matrix, columns);
    }
    if (observer != nullptr) observer->products_finished(context->warp_index);
    if (observer != nullptr)
      for (std::uint32_t w = 0; w < kGroupWarps; ++w)
        for (const AsyncMma& rest : group[w].mmas.pending())
          observer->product_pending(context->warp_index / kGroupWarps * kGroupWarps + w,
                                    StagedMatrix(rest.descriptor), rest.ip->c);
  }
  if (Sanitizer* const observer = sanitizer(context); observer != nullptr && warp.mmas.done() == wanted)
    observer->follow_products(context->warp_index);
  QUADPAIR_CONTINUE(ip + 1);
}

/// What the warp has written before, the asynchronous proxy sees. It changes no value here.
template <bool Full>
const Instruction* proxy_fence(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  if (Sanitizer* const observer = sanitizer(context)) observer->proxy_fence(context->warp_index);
  QUADPAIR_CONTINUE(ip + 1);
}

/// The warp comes to the barrier and goes on.
template <bool Full>
const Instruction* arrive(const Instruction* ip, [[maybe_unused]] std::byte* file, Context* context) {
  if (!Full && context->active != context->warp->live)
    throw_fault(ip, *context, context->warp->live & ~context->active,
                "barrier reached by a part of the warp");
  const std::uint32_t number = common_value(ip, *context, file, ip->a);
  const std::uint32_t threads = common_value(ip, *context, file, ip->b);
  if (number >= kBarriers) throw_fault(ip, *context, 0, fmt::format("barrier {} of {}", number, kBarriers));
  Arrivals& arrivals = context->arrivals[number];
  const std::uint32_t warp = 1u << context->warp_index;
  if ((arrivals.warps & warp) != 0)
    throw_fault(ip, *context, 0,
                fmt::format("a second arrival at barrier {} before it was complete", number));
  if (arrivals.warps != 0 && arrivals.threads != threads)
    throw_fault(ip, *context, 0,
                fmt::format("barrier {} of {} threads, and of {}", number, arrivals.threads, threads));
  arrivals.warps |= warp;
  arrivals.threads = threads;
  if (Sanitizer* const observer = sanitizer(context)) observer->arrive(number, context->warp_index);
  QUADPAIR_CONTINUE(ip + 1);
}

constexpr Opcode table[] = {
    {"product", Kind::mma, Form::plain, {}, {product<true>, product<false>}, {}},
    {"commit_group", Kind::other, Form::plain, {}, {commit_group<true>, commit_group<false>}, {}},
    {"wait_group", Kind::other, Form::plain, {}, {wait_group<true>, wait_group<false>}, {}},
    {"proxy_fence", Kind::other, Form::plain, {}, {proxy_fence<true>, proxy_fence<false>}, {}},
    {"arrive", Kind::barrier, Form::plain, {}, {arrive<true>, arrive<false>}, {}},
};

}  // namespace

std::span<const Opcode> warpgroup_opcodes() {
  return table;
}

}  // namespace quadpair::emulator
