// A production case from its inputs to its verdict, as `verify` runs it: qpn2_gemm, K 5120, N 8704, M 8.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "cases/suite.hpp"
#include "harness/device/emulator/emulator.hpp"
#include "harness/run/case_runner.hpp"
#include "harness/run/resources.hpp"

namespace {

using namespace quadpair;

/// Nothing is kept from one time to the next: weights are drawn, kernels parsed and decoded anew.
void whole_case(benchmark::State& state) {
  run::Options options;
  options.make_device = [](reference::Model model, unsigned threads) {
    return device::make_emulator({.model = model, .threads = threads});
  };
  const cases::Suite suite = cases::load_suite("production");
  const auto c = std::ranges::find_if(suite.cases, [](const cases::Case& each) {
    return each.id.starts_with("qpn2_gemm/mlp_gate_up/m8/dual/") && each.model == "volta";
  });
  for ([[maybe_unused]] auto _ : state) {
    run::Resources resources(options);
    const reports::CaseRecord record =
        run::run_case(*c, options, resources, static_cast<unsigned>(state.range(0)));
    if (record.status != reports::Status::passed) state.SkipWithError(record.reason.c_str());
  }
}

BENCHMARK(whole_case)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
