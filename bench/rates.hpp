// What the benchmarks count beside time.
#pragma once

#include <benchmark/benchmark.h>

namespace quadpair {

/// Bytes read and written, and floating-point operations, of one iteration, as rates.
inline void count_rates(benchmark::State& state, double bytes, double flop) {
  const auto rate = [](double amount) {
    return benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["bytes"] = rate(bytes);
  state.counters["flop"] = rate(flop);
}

}  // namespace quadpair
