// Speed of the CPU reference: products a second of the GEMM by model and rows, and one warp's mma.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "cases/suite.hpp"
#include "kernels/qpn2/gemm.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/oracle/oracle.hpp"
#include "reference/qpn2/weights.hpp"
#include "reference/tensor_core/warp_mma.hpp"

namespace {

using namespace quadpair;

/// An attention input projection, K = 5120, N = 3584, decoded by the QPN2 rule.
struct Operands {
  static constexpr std::uint32_t k = 5120, n = 3584, most_rows = 1024;
  Operands()
      : weights(*cases::load_slice("attn_qkv", 1)),
        matrix(reference::decode_qpn2({n, k, 1, weights.codes, weights.scales, weights.globals}), n, k),
        x(std::size_t{most_rows} * k) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<reference::Half>(0x3000 + i * 2654435761u % 0x1000);
  }
  cases::QuantizedMatrix weights;
  reference::GemmMatrix matrix;
  std::vector<reference::Half> x;
};

const Operands& operands() {
  static const Operands all;
  return all;
}

void count_products(benchmark::State& state) {
  state.counters["mac"] = benchmark::Counter(static_cast<double>(state.range(0)) * Operands::n * Operands::k,
                                             benchmark::Counter::kIsIterationInvariantRate);
}

/// All cores, in the order of qpn2_gemm.
void reference_gemm(benchmark::State& state, Target target, reference::Model model) {
  const auto m = static_cast<std::uint32_t>(state.range(0));
  const AccumulationPlan plan = qpn2::accumulation_plan(Operands::k, {16, 2}, target);
  const Operands& o = operands();
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(o.matrix.gemm(o.x.data(), m, Operands::k, plan, model));
  count_products(state);
}

/// Value and bound, all cores.
void oracle_gemm(benchmark::State& state) {
  const auto m = static_cast<std::uint32_t>(state.range(0));
  const AccumulationPlan plan = qpn2::accumulation_plan(Operands::k, {16, 2}, Target::sm70);
  const Operands& o = operands();
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(
        reference::oracle_gemm(o.matrix, o.x.data(), m, Operands::k, plan, reference::Model::volta));
  count_products(state);
}

#define QUADPAIR_ROWS \
  ->Arg(1)->Arg(8)->Arg(33)->Arg(512)->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond)
#define QUADPAIR_REFERENCE(target, model) \
  BENCHMARK_CAPTURE(reference_gemm, target##_##model, Target::target, reference::Model::model) QUADPAIR_ROWS
QUADPAIR_REFERENCE(sm70, volta);
QUADPAIR_REFERENCE(sm70, turing);
QUADPAIR_REFERENCE(sm70, fma_lowered);
QUADPAIR_REFERENCE(sm80, ampere);
QUADPAIR_REFERENCE(sm90, hopper);
BENCHMARK(oracle_gemm) QUADPAIR_ROWS;

/// One instruction of a warp; the accumulators start anew in each, so that they stay ordinary numbers.
void warp_mma(benchmark::State& state, reference::Model model, MmaShape shape) {
  constexpr std::uint32_t register_bytes = 32 * sizeof(std::uint32_t);
  const bool quad_pairs = shape == MmaShape::m8n8k4;
  const std::uint32_t accumulators = quad_pairs ? 8 : 4, inputs = quad_pairs ? 4 : 6;
  struct alignas(64) Register {
    std::uint32_t lanes[32] = {};
  };
  std::vector<Register> file(2 * accumulators + inputs);
  std::vector<std::uint32_t> operands;
  for (std::uint32_t i = 0; i < file.size(); ++i) {
    operands.push_back(i * register_bytes);
    for (std::uint32_t lane = 0; lane < 32 && i >= 2 * accumulators; ++lane)
      file[i].lanes[lane] = 0x30003000 + (i * 32 + lane) * 2654435761u % 0x0C00 * 0x10001;
  }
  const reference::WarpMma run = reference::warp_mma(model, shape);
  for ([[maybe_unused]] auto _ : state) {
    run(reinterpret_cast<std::byte*>(file.data()), operands.data());
    benchmark::ClobberMemory();
  }
}

BENCHMARK_CAPTURE(warp_mma, m8n8k4_volta, reference::Model::volta, MmaShape::m8n8k4);
BENCHMARK_CAPTURE(warp_mma, m8n8k4_turing, reference::Model::turing, MmaShape::m8n8k4);
BENCHMARK_CAPTURE(warp_mma, m8n8k4_fma_lowered, reference::Model::fma_lowered, MmaShape::m8n8k4);
BENCHMARK_CAPTURE(warp_mma, m16n8k16_ampere, reference::Model::ampere, MmaShape::m16n8k16);
BENCHMARK_CAPTURE(warp_mma, m16n8k16_hopper, reference::Model::hopper, MmaShape::m16n8k16);

}  // namespace
