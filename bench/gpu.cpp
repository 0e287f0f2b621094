#include "bench/gpu.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <string>

#include "harness/bench/setup.hpp"
#include "harness/device/cuda/cuda.hpp"
#include "kernels/common/stream.hpp"

namespace quadpair {
namespace {

struct Gpu {
  std::unique_ptr<device::Device> device = device::make_cuda(0);
  bench::Options options{};
  run::MatrixCache matrices{1, std::size_t{1} << 30};
};

Gpu& gpu() {
  static Gpu made;
  return made;
}

/// Seconds of one use in a graph that rotates over a cold working set, by the device's own events.
void time_case(benchmark::State& state, const cases::Case& c) {
  Gpu& g = gpu();
  const bench::BenchCase made = bench::make_case(c, g.options, g.matrices);
  const std::uint32_t tensors = timing::cold_tensors(made.weight_bytes(), g.device->info().l2_bytes);
  bench::Setup setup(*g.device, made, g.options, tensors);
  const auto side = setup.candidate();
  for (const reports::Check& check : side->verify(tensors))
    if (!check.passed()) return state.SkipWithError(reports::describe(check).c_str());

  const timing::SamplePlan plan = timing::sample_plan(c.m, tensors);
  const auto graph = side->capture(plan);
  for (auto _ : state)
    state.SetIterationTime(graph->timed_replays(plan.replays).value() / static_cast<double>(plan.launches()));
  const run::Problem& p = made.problem;
  const auto rate = [](double amount) {
    return benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["bytes"] = rate(static_cast<double>(made.contract_bytes()));
  state.counters["flop"] = rate(2.0 * p.m * p.n * p.k);
}

}  // namespace

void register_gpu_benchmarks() {
  const auto gpus = device::cuda_devices();
  if (gpus.empty() || gpus[0].major < 7) return;
  const Target target = target_for_capability(gpus[0].major, gpus[0].minor);
  for (const cases::Case& c : cases::load_suite("production").cases) {
    if (c.target != to_string(target)) continue;
    benchmark::RegisterBenchmark(("gpu/" + c.id).c_str(),
                                 [c](benchmark::State& state) { time_case(state, c); })
        ->UseManualTime()
        ->Iterations(50)  // each is hundreds of uses, of which the time of one is reported
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace quadpair
