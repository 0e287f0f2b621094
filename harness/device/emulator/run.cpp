#include "harness/device/emulator/run.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "harness/device/device.hpp"
#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/trace/recording.hpp"
#include "harness/device/emulator/vector_state.hpp"
#include "harness/device/emulator/warpgroup.hpp"

namespace quadpair::emulator {
namespace {

constexpr std::align_val_t kAlignment{4096};
constexpr std::byte kSharedPoison{0xa5};
/// How often a running block looks whether another has faulted.
constexpr std::int64_t kSlice = 1 << 20;

std::uint32_t warp_count(const Dim3& block) {
  return (block.x * block.y * block.z + kWarpLanes - 1) / kWarpLanes;
}

template <class T>
void fill_lanes(std::byte* to, T value) {
  std::fill_n(reinterpret_cast<T*>(to), kWarpLanes, value);
}

void fill(std::byte* file, const FilledSlot& slot) {
  std::byte* to = file + slot.offset;
  if (slot.width == 1) {
    const std::uint32_t lanes = slot.value & 1 ? kAllLanes : 0;
    std::memcpy(to, &lanes, sizeof lanes);
    return;
  }
  switch (slot.width) {
    case 16: return fill_lanes(to, static_cast<std::uint16_t>(slot.value));
    case 32: return fill_lanes(to, static_cast<std::uint32_t>(slot.value));
    default: return fill_lanes(to, slot.value);
  }
}

[[noreturn]] void throw_endless(const Instruction* ip, const Context& context) {
  throw_fault(ip, context, 0,
              fmt::format("the launch ran through its budget of {} warp instructions (an endless loop?)",
                          context.run->budget));
}

}  // namespace

void Run::keep(std::uint64_t block_number, std::exception_ptr what) {
  const std::lock_guard lock(mutex);
  if (block_number >= faulted) return;
  faulted = block_number;
  fault = std::move(what);
}

void refill(const Instruction* ip, Context* context) {
  if (context->run->faulted.load(std::memory_order_relaxed) < context->linear_block) throw Stopped();
  while (context->slice < 0) {
    if (context->allowance <= 0) throw_endless(ip, *context);
    const std::int64_t more = std::min(context->allowance, kSlice);
    context->allowance -= more;
    context->slice += more;
  }
}

void Worker::AlignedDelete::operator()(std::byte* memory) const {
  ::operator delete[](memory, kAlignment);
}

void Worker::grow(Aligned& memory, std::size_t& size, std::size_t wanted) {
  if (wanted <= size) return;
  memory.reset(static_cast<std::byte*>(::operator new[](wanted, kAlignment)));
  size = wanted;
}

void Worker::prepare(const Run& run) {
  const Kernel& kernel = *run.kernel;
  const std::uint32_t warps = warp_count(run.block);
  file_stride_ = (kernel.file_bytes + 63) / 64 * 64;
  grow(files_, files_bytes_, std::max<std::size_t>(file_stride_ * warps, 64));
  grow(shared_, shared_bytes_, std::max<std::size_t>(kernel.shared_bytes + run.dynamic_shared, 64));
  warps_.resize(warps);
  for (std::uint32_t w = 0; w < warps; ++w) {
    warps_[w].file = files_.get() + w * file_stride_;
    for (const FilledSlot& constant : kernel.constants) fill(warps_[w].file, constant);
  }
  ranges_.assign(kernel.accesses.size(), Range{});
  executions.assign(kernel.blocks.size(), 0);
  divergences = 0;

  context_ = Context{};
  context_.full = kernel.full.data();
  context_.masked = kernel.masked.data();
  context_.ranges = ranges_.data();
  context_.executions = executions.data();
  context_.parameters = run.parameters.data();
  context_.shared = shared_.get();
  context_.shared_bytes = kernel.shared_bytes + run.dynamic_shared;
  std::ranges::copy(run.mma, context_.mma);
  context_.warps = warps_.data();
  context_.warp_count = warps;
  context_.block_size = run.block;
  context_.grid_size = run.grid;
  context_.kernel = &kernel;
  context_.memory = run.memory;
  context_.observer = &observer;
  observer.begin_launch(kernel, static_cast<std::uint32_t>(context_.shared_bytes), warps);
  context_.run = &run;
  context_.recorder = run.recorder;
}

void Worker::work(Run& run) {
  prepare(run);
  for (;;) {
    if (run.faulted != Run::none) break;
    const std::uint64_t block = run.next_block++;
    if (block >= run.blocks()) break;
    try {
      run_block(run, block);
    } catch (const Stopped&) {
      break;
    } catch (...) {
      run.keep(block, std::current_exception());
      break;
    }
  }
  divergences = context_.divergences;
}

/// A block may spend what the blocks that are done have left.
void Worker::take_allowance(const Run& run) {
  const std::uint64_t left = run.budget - std::min(run.budget, run.spent.load());
  context_.allowance =
      static_cast<std::int64_t>(std::min<std::uint64_t>(left, std::numeric_limits<std::int64_t>::max()));
  context_.slice = std::min(context_.allowance, kSlice);
  context_.allowance -= context_.slice;
}

void Worker::start_warps(const Run& run) {
  const std::uint32_t threads = run.block.x * run.block.y * run.block.z;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    const std::uint32_t lanes = std::min(kWarpLanes, threads - w * kWarpLanes);
    warp.live = lanes == kWarpLanes ? kAllLanes : (1u << lanes) - 1;
    warp.resume = (warp.live == kAllLanes ? context_.full : context_.masked);
    warp.join = kNoJoin;
    warp.depth = 0;
    warp.waits = false;
    warp.copies.reset();
    warp.mmas.reset();
    for (const FilledSlot& slot : run.kernel->undefined) fill(warp.file, slot);
  }
  std::ranges::fill(context_.arrivals, Arrivals{});
  std::memset(context_.shared, std::to_integer<int>(kSharedPoison), context_.shared_bytes);
  if (run.kernel->observation == Observation::faults) observer.sanitizer.begin_block();
}

void Worker::run_block(Run& run, std::uint64_t number) {
  context_.linear_block = number;
  context_.block_index = block_index(number, run.grid);
  start_warps(run);
  if (run.recorder != nullptr) run.recorder->begin_block(context_.block_index);
  take_allowance(run);
  const std::int64_t allowed = context_.slice + context_.allowance;
  for (bool running = true; running;) {
    for (std::uint32_t w = 0; w < warps_.size(); ++w)
      if (!warps_[w].waits) run_warp(w);
    running = std::ranges::any_of(warps_, [](const Warp& warp) { return warp.resume != nullptr; });
    if (running) release_barriers();
  }
  if (run.recorder != nullptr) run.recorder->end_block();
  const auto used = static_cast<std::uint64_t>(allowed - context_.slice - context_.allowance);
  if ((run.spent += used) > run.budget) {
    context_.warp_index = 0;
    throw_endless(context_.full, context_);
  }
}

void Worker::run_warp(std::uint32_t index) {
  Warp& warp = warps_[index];
  context_.warp = &warp;
  context_.warp_index = index;
  context_.active = context_.guarded = warp.live;
  const Instruction* ip = warp.resume;
  while (ip != nullptr) ip = ip->handler(ip, warp.file, &context_);
  clear_upper_halves();
}

/// Every warp waits or has exited; some wait. Lets those go on whose barrier has gathered its threads.
void Worker::release_barriers() {
  bool released = false;
  for (Warp& waiting : warps_) {
    if (!waiting.waits) continue;
    if (waiting.barrier == kGroupBarrier) {
      const auto index = static_cast<std::uint32_t>(&waiting - warps_.data());
      if (!group_has_issued(warps_.data(), warps_.size(), index, waiting.mmas.awaited())) continue;
      waiting.waits = false;
      released = true;
      continue;
    }
    const auto together = [&](const Warp& warp) {
      return warp.waits && warp.barrier == waiting.barrier && warp.barrier_threads == waiting.barrier_threads;
    };
    Arrivals& arrivals = context_.arrivals[waiting.barrier];
    const bool whole = waiting.barrier_threads == 0;
    auto gathered = static_cast<std::size_t>(std::ranges::count_if(warps_, together));
    if (arrivals.threads == waiting.barrier_threads)
      gathered += static_cast<std::size_t>(std::popcount(arrivals.warps));
    if (whole ? gathered != warps_.size() : gathered * kWarpLanes != waiting.barrier_threads) continue;
    const std::uint32_t barrier = waiting.barrier;
    arrivals = {};
    std::uint32_t warps = 0;
    for (std::size_t w = 0; w < warps_.size(); ++w)
      if (warps_[w].waits && warps_[w].barrier == barrier) {
        warps_[w].waits = false;
        warps |= 1u << w;
      }
    if (context_.kernel->observation == Observation::faults) observer.sanitizer.barrier(warps, barrier);
    released = true;
  }
  if (!released) throw_deadlock();
}

void Worker::throw_deadlock() const {
  const auto waiting = std::ranges::find_if(warps_, &Warp::waits);
  const auto missing = std::ranges::find_if(warps_, [&](const Warp& warp) {
    return !warp.waits || warp.barrier != waiting->barrier || warp.barrier_threads != 0;
  });
  std::string what;
  if (waiting->barrier == kGroupBarrier) {
    what = "wgmma that not all four warps of the warpgroup issue";
  } else if (waiting->barrier_threads != 0) {
    const auto gathered =
        std::ranges::count_if(
            warps_, [&](const Warp& warp) { return warp.waits && warp.barrier == waiting->barrier; }) +
        std::popcount(context_.arrivals[waiting->barrier].warps);
    what = fmt::format("barrier {} of {} threads, at which {} wait", waiting->barrier,
                       waiting->barrier_threads, gathered * kWarpLanes);
  } else {
    what = fmt::format("barrier that not all warps reach: warp {} {}", missing - warps_.begin(),
                       missing->waits ? fmt::format("waits at barrier {}", missing->barrier) : "has exited");
  }
  Context context = context_;
  context.warp_index = static_cast<std::uint32_t>(waiting - warps_.begin());
  throw_fault(waiting->resume - (waiting->barrier == kGroupBarrier ? 0 : 1), context, 0, what);
}

}  // namespace quadpair::emulator
