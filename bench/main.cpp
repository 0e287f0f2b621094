// Google Benchmark over the reference, the emulator and, where there is one, the GPU.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "bench/kernels.hpp"
#include "harness/timing/build.hpp"

int main(int argc, char** argv) {
  if (const auto why = quadpair::timing::reason_not_to_time(quadpair::timing::this_build())) {
    std::fprintf(stderr, "%s\n", why->c_str());
    return 64;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 64;
  quadpair::register_kernel_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
