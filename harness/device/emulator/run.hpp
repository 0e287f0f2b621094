// A launch on the worker threads: blocks in ascending order, each block's warps one at a time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/observe/observer.hpp"
#include "kernels/common/launch.hpp"

namespace quadpair::emulator {

/// The place in the grid of a block's number.
inline Dim3 block_index(std::uint64_t number, const Dim3& grid) {
  return {static_cast<std::uint32_t>(number % grid.x), static_cast<std::uint32_t>(number / grid.x % grid.y),
          static_cast<std::uint32_t>(number / grid.x / grid.y)};
}

/// What the workers of one launch share.
struct Run {
  const Kernel* kernel = nullptr;
  const Memory* memory = nullptr;
  std::array<WarpMma, mma_shapes> mma{};
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;
  std::vector<std::byte> parameters;
  std::uint64_t budget = 0;
  Recorder* recorder = nullptr;  ///< of a traced kernel, which one worker runs

  std::uint64_t blocks() const { return std::uint64_t{grid.x} * grid.y * grid.z; }

  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::atomic<std::uint64_t> next_block = 0;
  std::atomic<std::uint64_t> spent = 0;  ///< warp instructions of the blocks that are done
  std::atomic<std::uint64_t> faulted = none;
  std::mutex mutex;
  std::exception_ptr fault;

  /// Keeps the fault of the lowest block: blocks start in ascending order, so that it is found by any number
  /// of workers.
  void keep(std::uint64_t block_number, std::exception_ptr what);
};

/// A thread's own state, kept from launch to launch.
class Worker {
 public:
  /// Takes blocks until there are none or one has faulted.
  void work(Run& run);

  std::vector<std::uint64_t> executions;  ///< by basic block, of the last launch
  std::uint64_t divergences = 0;          ///< of the last launch
  Observer observer;                      ///< the same

 private:
  struct AlignedDelete {
    void operator()(std::byte* memory) const;
  };
  using Aligned = std::unique_ptr<std::byte[], AlignedDelete>;
  static void grow(Aligned& memory, std::size_t& size, std::size_t wanted);

  void prepare(const Run& run);
  void run_block(Run& run, std::uint64_t number);
  void start_warps(const Run& run);
  void run_warp(std::uint32_t index);
  void release_barriers();
  [[noreturn]] void throw_deadlock() const;
  void take_allowance(const Run& run);

  Context context_;
  std::vector<Warp> warps_;
  std::vector<Range> ranges_;
  Aligned files_, shared_;
  std::size_t files_bytes_ = 0, shared_bytes_ = 0, file_stride_ = 0;
};

}  // namespace quadpair::emulator
