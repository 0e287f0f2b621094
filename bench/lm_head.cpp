// Speed of the CPU reference of FP8 weights and the LM head, all cores: an eighth of a production shard.
#include <benchmark/benchmark.h>

#include "bench/rates.hpp"
#include "cases/heads.hpp"
#include "cases/random.hpp"
#include "kernels/lm_head/screen.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/lm_head/candidates.hpp"
#include "reference/lm_head/dot.hpp"
#include "reference/oracle/screening.hpp"
#include "reference/qpn8/weights.hpp"

namespace {

using namespace quadpair;

struct Head {
  static constexpr std::uint32_t n = 7760, k = 5120, most_rows = 8;
  static constexpr std::size_t weights = std::size_t{n} * k;

  Head() : matrix{"bench", "made-up", n, k, 0, n, {}}, x(std::size_t{most_rows} * k) {
    cases::draw_head(matrix, cases::RandomStream(1, "bench"));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<reference::Half>(0x3000 + i * 2654435761u % 0x1000);
    fp8 = reference::quantize_fp8(matrix.weights, n, k);
    decoded = reference::decode_qpn8(view());
  }
  reference::Fp8View view() const { return {n, k, reference::Fp8Scales::channel, fp8.codes, fp8.scales}; }

  cases::HeadMatrix matrix;
  std::vector<reference::Half> x, decoded;
  reference::Fp8Matrix fp8;
};

const Head& head() {
  static const Head made;
  return made;
}

void draw(benchmark::State& state) {
  cases::HeadMatrix made = head().matrix;
  for ([[maybe_unused]] auto _ : state) cases::draw_head(made, cases::RandomStream(1, "bench"));
  count_rates(state, 2.0 * Head::weights, 0);
}

void quantize(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(reference::quantize_fp8(head().matrix.weights, Head::n, Head::k));
  count_rates(state, 3.0 * Head::weights, 1.0 * Head::weights);  // a division each
}

void decode(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(reference::decode_qpn8(head().view()));
  count_rates(state, 3.0 * Head::weights, 1.0 * Head::weights);
}

void pack(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(reference::pack_qpn8_codes(head().view()));
  count_rates(state, 2.0 * Head::weights, 0);
}

void screening_gemm(benchmark::State& state, Target target, reference::Model model) {
  const auto m = static_cast<std::uint32_t>(state.range(0));
  const reference::GemmMatrix matrix(head().decoded, Head::n, Head::k);
  const AccumulationPlan plan = qpn8::accumulation_plan(Head::k, lm_head::screen_tuning, target);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(matrix.gemm(head().x.data(), m, Head::k, plan, model));
  count_rates(state, 2.0 * Head::weights, 2.0 * m * Head::weights);
}

void dense_logits(benchmark::State& state) {
  const auto m = static_cast<std::uint32_t>(state.range(0));
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(reference::dense_logits(head().matrix.weights, Head::n, Head::k, head().x.data(),
                                                     m, Head::k, DotPlan{}));
  count_rates(state, 2.0 * Head::weights, 2.0 * m * Head::weights);
}

void candidates(benchmark::State& state) {
  constexpr std::uint32_t n = lm_head::chunk_rows;
  std::vector<reference::Half> logits(std::size_t{Head::most_rows} * n);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = head().matrix.weights[i];
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(
        reference::screened(logits.data(), Head::most_rows, n, n, n, lm_head::candidates_of_chunk));
  count_rates(state, 2.0 * static_cast<double>(logits.size()), 0);
}

void errors(benchmark::State& state) {
  const AccumulationPlan plan = qpn8::accumulation_plan(Head::k, lm_head::screen_tuning, Target::sm70);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(reference::screening_errors(head().matrix.weights, head().decoded, Head::n, plan,
                                                         reference::Model::volta, DotPlan{}));
  count_rates(state, 4.0 * Head::weights, 6.0 * Head::weights);
}

#define QUADPAIR_HEAD(function) \
  BENCHMARK(function)->Name("head/" #function)->UseRealTime()->Unit(benchmark::kMillisecond)
QUADPAIR_HEAD(draw);
QUADPAIR_HEAD(quantize);
QUADPAIR_HEAD(decode);
QUADPAIR_HEAD(pack);
QUADPAIR_HEAD(dense_logits)->Arg(1)->Arg(8);
QUADPAIR_HEAD(candidates);
QUADPAIR_HEAD(errors);
#define QUADPAIR_SCREENING(target, model)                                                      \
  BENCHMARK_CAPTURE(screening_gemm, target##_##model, Target::target, reference::Model::model) \
      ->Arg(1)                                                                                 \
      ->Arg(8)                                                                                 \
      ->UseRealTime()                                                                          \
      ->Unit(benchmark::kMillisecond)
QUADPAIR_SCREENING(sm70, volta);
QUADPAIR_SCREENING(sm70, fma_lowered);
QUADPAIR_SCREENING(sm80, ampere);
QUADPAIR_SCREENING(sm90, hopper);

}  // namespace
