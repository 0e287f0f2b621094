// Speed of the emulator: warp instructions a second on one thread, with mma as a no-op and with each model.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/emulator/buffer.hpp"
#include "harness/device/emulator/cost.hpp"
#include "harness/device/emulator/module_cache.hpp"
#include "harness/device/emulator/run.hpp"
#include "kernels/qpn2/gemm.hpp"
#include "reference/tensor_core/warp_mma.hpp"

namespace {

using namespace quadpair;

void no_mma(std::byte*, const std::uint32_t*) {}

std::uint64_t total(const device::Cost& cost) {
  std::uint64_t sum = 0;
  for (const auto& [kind, count] : cost.warp_instructions) sum += count;
  return sum;
}

/// The part of the sanitizer's work that follows a launch.
void judge(const emulator::Worker& worker, const emulator::Run& run, const emulator::Memory& memory) {
  emulator::Findings findings = worker.observer.sanitizer.findings();
  const emulator::StoreLog* const stores[] = {&worker.observer.sanitizer.stores()};
  emulator::settle_stores(stores, *run.kernel, run.grid, memory, findings);
  if (!findings.empty()) throw device::Fault(findings.text(emulator::Run::none));
}

struct Shape {
  std::uint32_t n, k;
};
constexpr Shape attention_output = {5120, 1536}, feed_forward = {8704, 5120};

/// qpn2_gemm; without a model mma does nothing.
void gemm(benchmark::State& state, Target target, std::optional<reference::Model> model,
          emulator::Observation observation = emulator::Observation::none, Shape shape = attention_output) {
  const auto m = static_cast<std::uint32_t>(state.range(0));
  const auto [n, k] = shape;
  const bool sanitize = observation == emulator::Observation::faults;
  const auto memory = std::make_shared<emulator::Memory>(sanitize);
  const auto buffer = [&](std::string name, std::size_t bytes, std::uint8_t fill) {
    auto made = std::make_unique<emulator::GuardedBuffer>(memory, std::move(name), bytes,
                                                          device::Access::output, fill);
    made->upload(std::vector(bytes, std::byte{fill}), 0);
    return made;
  };
  const auto codes = buffer("codes", std::size_t{n} * k / 2, 0x35);
  const auto scales = buffer("scales", std::size_t{n} * k / 16, 0x38);
  const auto x = buffer("x", std::size_t{m} * k * 2, 0x3c), y = buffer("y", std::size_t{m} * n * 2, 0);
  qpn2::GemmArguments arguments;
  arguments.m = m;
  arguments.n = n;
  arguments.k = k;
  arguments.codes = codes->address();
  arguments.scales = scales->address();
  arguments.global.value = 0x3c00;
  arguments.x = x->address();
  arguments.ldx = k;
  arguments.y = y->address();
  arguments.ldy = n;
  const std::vector<Launch> launches = qpn2::gemm(arguments, {8, 2}, target);

  emulator::ModuleCache modules;
  emulator::Worker worker;
  emulator::Counts counts;
  for (const Launch& launch : launches) modules.kernel(*launch.module, launch.entry, observation);
  for ([[maybe_unused]] auto _ : state) {
    for (const Launch& launch : launches) {
      emulator::Run run;
      run.kernel = &modules.kernel(*launch.module, launch.entry, observation);
      run.memory = memory.get();
      const MmaShape mma = target == Target::sm70 ? MmaShape::m8n8k4 : MmaShape::m16n8k16;
      run.mma.fill(no_mma);
      if (model) run.mma[static_cast<std::size_t>(mma)] = reference::warp_mma(*model, mma);
      run.grid = launch.grid;
      run.block = launch.block;
      run.dynamic_shared = launch.dynamic_shared;
      run.parameters = launch.arguments.bytes();
      run.budget = std::uint64_t{1} << 36;
      worker.work(run);
      if (run.fault) std::rethrow_exception(run.fault);
      if (sanitize) judge(worker, run, *memory);
      counts.add(*run.kernel, worker);
    }
  }
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(total(counts.cost())), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(gemm, sm70_no_mma, Target::sm70, std::nullopt)
    ->Arg(1)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm70_no_mma_counted, Target::sm70, std::nullopt, emulator::Observation::counts)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm70_no_mma_sanitized, Target::sm70, std::nullopt, emulator::Observation::faults)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm70_volta, Target::sm70, reference::Model::volta)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm70_fma, Target::sm70, reference::Model::fma_lowered)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm70_volta_8704x5120, Target::sm70, reference::Model::volta,
                  emulator::Observation::none, feed_forward)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm70_fma_8704x5120, Target::sm70, reference::Model::fma_lowered,
                  emulator::Observation::none, feed_forward)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm80_no_mma, Target::sm80, std::nullopt)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm80_no_mma_counted, Target::sm80, std::nullopt, emulator::Observation::counts)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm80_no_mma_sanitized, Target::sm80, std::nullopt, emulator::Observation::faults)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, sm80_ampere, Target::sm80, reference::Model::ampere)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond);

}  // namespace
