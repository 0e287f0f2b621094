// wgmma: issue, groups, waits; what bar.arrive and proxy fences do beside.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/observe/observer.hpp"
#include "harness/device/emulator/opcodes/control.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/trace/recording.hpp"
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

/// The same in all lanes, of `rows` rows that are there.
std::uint64_t descriptor_at(const Instruction* ip, const std::byte* file, Context* context,
                            std::uint32_t rows, const char* rows_are) {
  const auto* descriptors = reinterpret_cast<const std::uint64_t*>(file);
  if (std::any_of(descriptors, descriptors + kWarpLanes, [&](std::uint64_t d) { return d != *descriptors; }))
    throw_fault(ip, *context, 0, "wgmma with descriptors that differ between lanes");
  const StagedMatrix matrix(*descriptors);
  if (!matrix.refusal().empty()) throw_fault(ip, *context, 0, matrix.refusal());
  for (std::uint32_t row = 0; row < rows; ++row)
    if (std::uint64_t{matrix.row(row)} + 32 > context->shared_bytes)
      throw_fault(ip, *context, 0,
                  fmt::format("{} {} at shared address {:#x}, past the end of shared memory", rows_are, row,
                              matrix.row(row)));
  return *descriptors;
}

/// Visits (matrix in shared memory, its rows) of what a product multiplies.
template <class Visit>
void each_matrix(const AsyncMma& product, Visit visit) {
  visit(StagedMatrix(product.descriptor), product.ip->c);
  if (product.left) visit(StagedMatrix(*product.left), kGroupRows);
}

/// `d`: of B's descriptor; `a`: of A's if it is `Staged`, else registers last in the list; `c`: columns.
template <bool Staged>
void issue(const Instruction* ip, const std::byte* file, Context* context) {
  const std::uint64_t descriptor = descriptor_at(ip, file + ip->d, context, ip->c, "column of B");
  std::optional<std::uint64_t> left;
  if (Staged) left = descriptor_at(ip, file + ip->a, context, kGroupRows, "row of A");
  AsyncMma& product = context->warp->mmas.issue();
  product.ip = ip;
  product.descriptor = descriptor;
  product.left = left;
  if (!Staged) {
    const std::uint32_t* registers = ip->list + kOperands * (ip->c / 8);
    for (int i = 0; i < 4; ++i) std::memcpy(product.a[i], file + registers[i], sizeof product.a[i]);
  }
  if (Sanitizer* const observer = sanitizer(context))
    each_matrix(product, [&](const StagedMatrix& matrix, std::uint32_t rows) {
      observer->product_issued(ip, *context, matrix, rows);
    });
}

/// The rows 8 block.. of a matrix as a fragment of m16n8k16.
void load_fragment(const StagedMatrix& matrix, const std::byte* shared, std::uint32_t block,
                   std::uint32_t* low, std::uint32_t* high) {
  for (std::uint32_t r = 0; r < 8; ++r) {
    const std::uint32_t index = 8 * block + r;
    const std::byte* row = shared + matrix.row(index);
    const std::uint32_t first = matrix.swapped(index) ? 16 : 0;
    std::memcpy(low + 4 * r, row + first, 16);
    std::memcpy(high + 4 * r, row + (16 - first), 16);
  }
}

/// Of A, the part of warp `w` of the group.
void load_left(AsyncMma& product, const std::byte* shared, std::uint32_t w) {
  if (!product.left) return;
  const StagedMatrix matrix(*product.left);
  for (std::uint32_t half = 0; half < 2; ++half)
    load_fragment(matrix, shared, 2 * w + half, product.a[half], product.a[2 + half]);
}

/// Tells the trace what each warp has got, and of what.
void record(const AsyncMma& product, const Context& context, const Warp* group) {
  std::vector<std::uint32_t> sums, staged;
  for (std::uint32_t block = 0; block < product.ip->c / 8; ++block)
    sums.insert(sums.end(), product.ip->list + kOperands * block, product.ip->list + kOperands * block + 4);
  for (const std::uint64_t descriptor : {product.descriptor, product.left.value_or(0)})
    staged.insert(staged.end(),
                  {static_cast<std::uint32_t>(descriptor), static_cast<std::uint32_t>(descriptor >> 32)});
  each_matrix(product, [&](const StagedMatrix& matrix, std::uint32_t rows) {
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t k = 0; k < 16; k += 2) {
        staged.push_back(0);
        std::memcpy(&staged.back(), context.shared + matrix.address(row, k), sizeof staged.back());
      }
  });
  for (std::uint32_t w = 0; w < kGroupWarps; ++w) {
    const auto warp = static_cast<std::uint32_t>(group + w - context.warps);
    context.recorder->capture_product({.instruction = context.kernel->source[product.ip->index],
                                       .after = true,
                                       .warp = warp,
                                       .lanes = kAllLanes},
                                      group[w].file, sums, staged);
  }
}

/// The next product of the whole group.
void perform_next(const Instruction* ip, Context* context, Warp* group) {
  const AsyncMma& product = group[0].mmas.next();
  for (std::uint32_t w = 1; w < kGroupWarps; ++w)
    if (const AsyncMma& other = group[w].mmas.next();
        other.ip != product.ip || other.descriptor != product.descriptor || other.left != product.left)
      throw_fault(ip, *context, 0, "the warps of a warpgroup have issued different products");
  const StagedMatrix matrix(product.descriptor);
  const Instruction& code = *product.ip;
  const WarpMma multiply = context->mma[static_cast<std::size_t>(MmaShape::m16n8k16)];
  for (std::uint32_t w = 0; w < kGroupWarps; ++w) {
    load_left(group[w].mmas.next(), context->shared, w);
    for (std::uint32_t i = 0; i < 4; ++i)
      std::memcpy(group[w].file + code.list[8 + i], group[w].mmas.next().a[i], sizeof product.a[i]);
  }
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
  if (context->recorder != nullptr) record(product, *context, group);
  for (std::uint32_t w = 0; w < kGroupWarps; ++w) group[w].mmas.finish_next();
}

template <bool Full, bool Staged = false>
const Instruction* product(const Instruction* ip, std::byte* file, Context* context) {
  require_whole_warp<Full>(ip, context);
  issue<Staged>(ip, file, context);
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
      const AsyncMma done = group[0].mmas.next();
      perform_next(ip, context, group);
      if (observer != nullptr)
        each_matrix(done, [&](const StagedMatrix& matrix, std::uint32_t rows) {
          observer->product_done(*context, matrix, rows);
        });
    }
    if (observer != nullptr) observer->products_finished(context->warp_index);
    if (observer != nullptr)
      for (std::uint32_t w = 0; w < kGroupWarps; ++w)
        for (const AsyncMma& rest : group[w].mmas.pending())
          each_matrix(rest, [&](const StagedMatrix& matrix, std::uint32_t rows) {
            observer->product_pending(context->warp_index / kGroupWarps * kGroupWarps + w, matrix, rows);
          });
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
    {"staged_product", Kind::mma, Form::plain, {}, {product<true, true>, product<false, true>}, {}},
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
