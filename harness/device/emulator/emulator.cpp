#include "harness/device/emulator/emulator.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "harness/device/emulator/buffer.hpp"
#include "harness/device/emulator/cost.hpp"
#include "harness/device/emulator/module_cache.hpp"
#include "harness/device/emulator/ptx/parser.hpp"
#include "harness/device/emulator/run.hpp"
#include "harness/device/emulator/trace/recording.hpp"
#include "harness/device/emulator/trace/slicer.hpp"
#include "harness/device/threads.hpp"
#include "reference/tensor_core/warp_mma.hpp"

namespace quadpair::device {
namespace {

constexpr std::uint32_t kMaximumThreads = 1024;  ///< of a block

/// The instruction that a GPU must have on its tensor cores (or be asked to lower) to run a target's code.
MmaShape least_shape(Target target) {
  return target == Target::sm70 ? MmaShape::m8n8k4 : MmaShape::m16n8k8;
}

/// Bytes of shared memory that a block may have: CUDA Programming Guide, "Technical Specifications per
/// Compute Capability".
std::uint32_t most_shared_memory(Target target) {
  switch (target) {
    case Target::sm70: return 96 << 10;
    case Target::sm80: return 163 << 10;
    case Target::sm90: return 227 << 10;
  }
  return 0;
}

class Emulator final : public Device {
 public:
  explicit Emulator(const EmulatorOptions& options)
      : options_(options),
        threads_(thread_count(options.threads)),
        arena_(static_cast<int>(threads_)),
        workers_(threads_) {
    info_.kind = "emulator";
    info_.name = fmt::format("PTX emulator, {} thread{}", threads_, threads_ == 1 ? "" : "s");
    info_.arithmetic = {{std::string(to_string(options.model)), "option"}};
    for (const MmaShape shape : all_mma_shapes)
      if (const auto model = arithmetic_on(options.model, shape))
        mma_[static_cast<std::size_t>(shape)] = reference::warp_mma(*model, shape);
  }

  const DeviceInfo& info() const override { return info_; }

  MemoryUse memory_use() const override {
    MemoryUse use;
    for (const emulator::Region& region : memory_->regions()) {
      ++use.buffers;
      use.bytes += region.bytes;
    }
    return use;
  }

  std::unique_ptr<Buffer> allocate(std::string name, std::size_t bytes, Access access,
                                   std::uint8_t poison) override {
    return std::make_unique<emulator::GuardedBuffer>(memory_, std::move(name), bytes, access, poison);
  }

  void run(std::span<const Launch> launches) override {
    for (const Launch& launch : launches) run_one(launch, true);
  }

  void replay(std::span<const Launch> launches) {
    for (const Launch& launch : launches) run_one(launch, false);
  }

  std::unique_ptr<Graph> capture(std::span<const Launch> launches) override;

  std::optional<History> trace(std::span<const Launch> launches, DevicePtr address) override {
    std::optional<History> history;
    for (const Launch& launch : launches)
      if (auto found = trace_one(launch, address)) history = std::move(found);
    return history;
  }

  std::string_view code_sha256(const Module& module) const override { return module.ptx_sha256; }

  std::optional<Cost> take_cost() override { return std::exchange(counts_, emulator::Counts{}).cost(); }

 private:
  const emulator::Kernel& admit(const Launch& launch, emulator::Observation observation) {
    const Module& module = *launch.module;
    if (!defines(options_.model, least_shape(module.target)))
      throw Fault(fmt::format("module {}.{} needs {}, which the model {} does not define", module.name,
                              to_string(module.target), to_string(least_shape(module.target)),
                              to_string(options_.model)));
    const Variant* variant = options_.variant;
    const ptx::Program* given =
        variant != nullptr && variant->sha256 == module.ptx_sha256 ? variant->program : nullptr;
    const emulator::Kernel& kernel = modules_.kernel(module, launch.entry, observation, given);
    const std::string name = fmt::format("{}:{}", kernel.module, kernel.name);
    for (const MmaShape shape : all_mma_shapes)
      if (mma_[static_cast<std::size_t>(shape)] == nullptr && kernel.multiplies_with(shape))
        throw Fault(fmt::format("{} multiplies with {}, which the model {} does not define", name,
                                to_string(shape), to_string(options_.model)));
    if (kernel.multiplies_by_warpgroups() && options_.model != reference::Model::hopper)
      throw Fault(fmt::format("{} multiplies with wgmma, which the model {} does not define", name,
                              to_string(options_.model)));
    const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    const std::uint32_t most = kernel.max_threads != 0 ? kernel.max_threads : kMaximumThreads;
    if (threads == 0 || threads > most)
      throw Fault(fmt::format("{}: a block of {} threads, of at most {}", name, threads, most));
    if (launch.arguments.bytes().size() != kernel.parameter_bytes)
      throw Fault(fmt::format("{}: {} bytes of arguments, {} are wanted", name,
                              launch.arguments.bytes().size(), kernel.parameter_bytes));
    const std::uint64_t shared = std::uint64_t{kernel.shared_bytes} + launch.dynamic_shared;
    if (shared > most_shared_memory(module.target))
      throw Fault(fmt::format("{}: {} bytes of shared memory a block, of at most {}", name, shared,
                              most_shared_memory(module.target)));
    return kernel;
  }

  /// What is noted of a launch: counting costs time, so that what nobody asks for is not counted.
  emulator::Observation observation(bool counts) const {
    if (options_.sanitize) return emulator::Observation::faults;
    return counts ? emulator::Observation::counts : emulator::Observation::none;
  }

  /// Throws what the launch was found guilty of. `used` workers took part.
  void judge(const emulator::Run& run, std::size_t used) {
    emulator::Findings findings;
    std::vector<const emulator::StoreLog*> stores;
    for (std::size_t i = 0; i < used && options_.sanitize; ++i) {
      findings.merge(workers_[i].observer.sanitizer.findings());
      stores.push_back(&workers_[i].observer.sanitizer.stores());
    }
    emulator::settle_stores(stores, *run.kernel, run.grid, *memory_, findings);
    const std::string found = findings.text(run.faulted);
    if (run.fault && found.empty()) std::rethrow_exception(run.fault);
    if (run.fault) try {
        std::rethrow_exception(run.fault);
      } catch (const Fault& fault) {
        throw Fault(fmt::format("{}\nbefore it: {}", fault.what(), found));
      }
    if (!found.empty()) throw Fault(found);
  }

  void run_one(const Launch& launch, bool counts) {
    execute(admit(launch, observation(counts)), launch, threads_, counts, nullptr);
  }

  std::optional<History> trace_one(const Launch& launch, DevicePtr address) {
    const emulator::Kernel& kernel = admit(launch, emulator::Observation::history);
    emulator::Recorder recorder(address);
    execute(kernel, launch, 1, false, &recorder);
    if (!recorder.stored()) return std::nullopt;
    const ptx::Program program = ptx::parse(launch.module->ptx, kernel.module);
    const auto entry = std::ranges::find(program.entries, launch.entry, &ptx::Entry::name);
    return slice(program, *entry, kernel.module, recorder.recording(), *memory_, address);
  }

  void execute(const emulator::Kernel& kernel, const Launch& launch, unsigned threads, bool counts,
               emulator::Recorder* recorder) {
    emulator::Run run;
    run.kernel = &kernel;
    run.recorder = recorder;
    run.memory = memory_.get();
    run.mma = mma_;
    run.grid = launch.grid;
    run.block = launch.block;
    run.dynamic_shared = launch.dynamic_shared;
    run.parameters = launch.arguments.bytes();
    run.budget = options_.variant != nullptr ? options_.variant->budget : options_.budget;
    const auto used = static_cast<std::size_t>(std::min<std::uint64_t>(threads, run.blocks()));
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, used, 1),
          [&](const tbb::blocked_range<std::size_t>& range) {
            for (std::size_t i = range.begin(); i != range.end(); ++i) workers_[i].work(run);
          },
          tbb::simple_partitioner());
    });
    judge(run, used);  // what ran before a fault is not counted
    for (std::size_t i = 0; i < used && counts; ++i) counts_.add(*run.kernel, workers_[i]);
  }

  EmulatorOptions options_;
  unsigned threads_;
  tbb::task_arena arena_;
  std::vector<emulator::Worker> workers_;
  DeviceInfo info_;
  std::array<emulator::WarpMma, emulator::mma_shapes> mma_{};
  std::shared_ptr<emulator::Memory> memory_ = std::make_shared<emulator::Memory>(options_.sanitize);
  emulator::ModuleCache modules_;
  emulator::Counts counts_;
};

/// Launches as they were when captured; the buffers are those that the arguments point to.
class FrozenLaunches final : public Graph {
 public:
  FrozenLaunches(Emulator& device, std::span<const Launch> launches)
      : device_(device), launches_(launches.begin(), launches.end()) {}
  void replay() override { device_.replay(launches_); }

 private:
  Emulator& device_;
  std::vector<Launch> launches_;
};

std::unique_ptr<Graph> Emulator::capture(std::span<const Launch> launches) {
  for (const Launch& launch : launches) admit(launch, observation(false));
  return std::make_unique<FrozenLaunches>(*this, launches);
}

}  // namespace

std::unique_ptr<Device> make_emulator(const EmulatorOptions& options) {
  return std::make_unique<Emulator>(options);
}

}  // namespace quadpair::device
