// What the decoder makes of PTX and the handlers run: 64 bytes an instruction, and the state of a warp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "harness/device/emulator/async_copies.hpp"
#include "harness/device/emulator/async_mmas.hpp"
#include "harness/device/emulator/lanes.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::emulator {

inline constexpr std::size_t mma_shapes = std::size(all_mma_shapes);

struct Context;
struct Instruction;

/// reference::WarpMma: an mma on fragments at byte offsets in a register file.
using WarpMma = void (*)(std::byte* file, const std::uint32_t* operands);

/// Executes one instruction for a warp whose registers are in `file`. Yields what the dispatch loop runs
/// next, or null when the warp stops (at a barrier or its end); with tail calls the handler runs it itself.
using Handler = const Instruction* (*)(const Instruction* ip, std::byte* file, Context* context);

/// `d`, `a`, `b`, `c`, `e` are byte offsets in the register file. Two arrays hold a kernel, index for index:
/// one with handlers for all 32 lanes, one for those in Context::active.
struct alignas(64) Instruction {
  Handler handler = nullptr;
  std::uint32_t d = 0, a = 0, b = 0, c = 0, e = 0;
  std::uint32_t index = 0;              ///< in its array
  std::uint64_t immediate = 0;          ///< operand, address displacement; of a block's end: its length
  const Instruction* target = nullptr;  ///< where a block's end goes, in the same array
  const std::uint32_t* list = nullptr;  ///< more offsets: vector elements, mma fragments
  std::uint32_t site = 0;               ///< memory access: its number; a block's end: the block's
  std::uint32_t join = 0;               ///< branch, join: index where the sides meet
};
static_assert(sizeof(Instruction) == 64);

/// Lanes that wait while others run: they continue at `pc`, and stop again at `join`.
struct Frame {
  std::uint32_t pc = 0, join = 0, lanes = 0;
};

inline constexpr std::uint32_t kNoJoin = ~0u;
inline constexpr std::uint32_t kBarriers = 16;  ///< of a block

/// A warp between its turns. Each divergence splits a set of at most 32 lanes and adds two frames at most.
struct Warp {
  const Instruction* resume = nullptr;  ///< null: all lanes have exited
  std::byte* file = nullptr;
  std::uint32_t live = 0;  ///< lanes that have not exited
  std::uint32_t join = kNoJoin;
  bool waits = false;                 ///< at a barrier
  std::uint32_t barrier = 0;          ///< its number
  std::uint32_t barrier_threads = 0;  ///< that it gathers; 0: all of the block
  std::uint32_t depth = 0;
  Frame frames[2 * kWarpLanes];
  AsyncCopies copies;
  AsyncMmas mmas;
};

/// Warps that have come to a barrier which is not complete, and gone on (bar.arrive).
struct Arrivals {
  std::uint32_t warps = 0;    ///< a mask
  std::uint32_t threads = 0;  ///< that the barrier gathers
};

/// A range of global memory that an instruction may access. Host addresses are the device's plus `to_host`.
struct Range {
  std::uint64_t begin = 0, bytes = 0, to_host = 0;
};

struct Kernel;
struct Run;
class Memory;
class Observer;
class Recorder;

/// What handlers see of the launch, the block and the running warp; one a worker thread.
struct Context {
  std::uint32_t active = 0;   ///< lanes that the masked handlers act on
  std::uint32_t guarded = 0;  ///< active lanes outside a guarded instruction
  const Instruction* full = nullptr;
  const Instruction* masked = nullptr;
  Range* ranges = nullptr;              ///< by memory site: where it last found its lanes
  std::uint64_t* executions = nullptr;  ///< by basic block
  std::int64_t slice = 0;               ///< instructions until spend() must be asked again
  std::int64_t allowance = 0;           ///< instructions left to this block after the slice
  std::uint64_t divergences = 0;

  const std::byte* parameters = nullptr;
  std::byte* shared = nullptr;
  std::uint64_t shared_bytes = 0;
  WarpMma mma[mma_shapes] = {};  ///< by MmaShape

  Warp* warp = nullptr;
  std::uint32_t warp_index = 0;
  Warp* warps = nullptr;  ///< of the block
  std::uint32_t warp_count = 0;
  Arrivals arrivals[kBarriers];
  std::uint64_t linear_block = 0;
  Dim3 block_index, block_size, grid_size;

  const Kernel* kernel = nullptr;
  const Memory* memory = nullptr;
  Observer* observer = nullptr;
  std::uint32_t skipped =
      0;  ///< active lanes that the access at hand leaves out, since it was found at fault
  const Run* run = nullptr;
  Recorder* recorder = nullptr;  ///< of a traced kernel's captures
};

/// Generic addresses from this one on are in the block's shared window; below are buffers, each in a window
/// of its own, so that a pointer which strays from one cannot reach another.
inline constexpr std::uint64_t kSharedWindow = 1ull << 56;
inline constexpr std::uint64_t kBufferWindow = 1ull << 40;

inline const Instruction* continue_at(const Context* context, std::uint32_t index) {
  return (context->active == kAllLanes ? context->full : context->masked) + index;
}

/// Takes the next slice of the block's allowance; throws Fault when there is none, and Stopped when another
/// block has faulted.
void refill(const Instruction* ip, Context* context);

}  // namespace quadpair::emulator

// How a handler goes on to the next instruction: by a call that the compiler turns into a jump where the
// build assures it (optimised, no sanitizer), else through the dispatch loop.
#ifdef QUADPAIR_TAIL_CALLS
#define QUADPAIR_CONTINUE(next)                              \
  do {                                                       \
    const ::quadpair::emulator::Instruction* next_ = (next); \
    return next_->handler(next_, file, context);             \
  } while (false)
#else
#define QUADPAIR_CONTINUE(next) return (next)
#endif
