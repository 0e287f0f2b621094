#include "bench/kernels.hpp"

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <string>

#include "bench/rates.hpp"
#include "cases/operators.hpp"
#include "cases/suite_expand.hpp"
#include "harness/bench/head_sides.hpp"
#include "harness/bench/setup.hpp"
#include "harness/device/cuda/cuda.hpp"
#include "harness/device/emulator/emulator.hpp"
#include "kernels/common/stream.hpp"

namespace quadpair {
namespace {

/// What the benchmarks share: matrices and heads as the reference made them.
struct Data {
  bench::Options options{};
  run::MatrixCache matrices{1, std::size_t{1} << 30};
  run::HeadCache heads{1, cases::built_in_slices()};
};

Data& data() {
  static Data made;
  return made;
}

/// Verifies the side; then the emulator's time of one use, or that of one in a graph that rotates over the
/// tensors by the GPU's own events.
void time_side(benchmark::State& state, device::Device& device, bench::Side& side, std::uint32_t m,
               std::uint32_t tensors) {
  for (const reports::Check& check : side.verify(tensors))
    if (!check.passed()) return state.SkipWithError(reports::describe(check).c_str());
  if (device.take_cost()) {
    for ([[maybe_unused]] auto _ : state) side.run(0);
    std::uint64_t instructions = 0;
    const device::Cost cost = device.take_cost().value();
    for (const auto& [kind, count] : cost.warp_instructions) instructions += count;
    state.counters["warp_instructions"] =
        benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
    return;
  }
  const timing::SamplePlan plan = timing::sample_plan(m, tensors);
  const auto graph = side.capture(plan);
  for ([[maybe_unused]] auto _ : state)
    state.SetIterationTime(graph->timed_replays(plan.replays).value() / static_cast<double>(plan.launches()));
}

std::uint32_t tensors_on(device::Device& device, std::uint64_t weight_bytes) {
  return device.take_cost() ? 1 : timing::cold_tensors(weight_bytes, device.info().l2_bytes);
}

void time_matrix(benchmark::State& state, device::Device& device, const cases::Case& c) {
  Data& d = data();
  const bench::BenchCase made = bench::make_case(c, d.options, d.matrices);
  const std::uint32_t tensors = tensors_on(device, made.weight_bytes());
  bench::Setup setup(device, made, d.options, tensors);
  time_side(state, device, *setup.candidate(), c.m, tensors);
  count_rates(state, static_cast<double>(made.contract_bytes()),
              2.0 * made.problem.m * made.problem.n * made.problem.k);
}

/// Screening and rerank, or the dense head.
void time_head(benchmark::State& state, device::Device& device, const cases::Case& c, bool dense) {
  Data& d = data();
  const bench::HeadCase made = bench::make_head_case(c, d.options, d.heads);
  const run::HeadProblem& p = made.problem;
  const std::uint32_t tensors = tensors_on(device, made.weight_bytes());
  const bench::HeadSides both(device, made, tensors, d.options.run.find_module);
  const bench::Sides sides = both.sides();
  time_side(state, device, dense ? sides.control : sides.candidate, p.m, tensors);
  const double row = double{1} * p.m * p.k;
  if (dense)
    count_rates(state, 2.0 * p.n * p.k + 4.0 * p.m * p.n, 2 * row * p.n);
  else
    count_rates(state, static_cast<double>(sides.contract_bytes), 2 * row * (p.n + p.candidates()));
}

using Time = std::function<void(benchmark::State&, device::Device&)>;

/// A case with both sides of a head, each under a name of its own.
std::vector<std::pair<std::string, Time>> timings_of(const cases::Case& c) {
  if (c.operation != "lm_head")
    return {{c.id, [c](benchmark::State& state, device::Device& device) { time_matrix(state, device, c); }}};
  const auto head = [&](const char* name, bool dense) {
    return std::pair<std::string, Time>(
        c.id + name,
        [c, dense](benchmark::State& state, device::Device& device) { time_head(state, device, c, dense); });
  };
  return {head("/screened", false), head("/dense", true)};
}

cases::Case case_of(const char* operation, const char* slice, std::uint32_t m, const char* target,
                    const char* model) {
  cases::Case c;
  c.operation = operation;
  c.slice = slice;
  c.m = m;
  const cases::OperatorTraits traits = cases::operator_traits(operation).value();
  c.layout = traits.weights ? "shared" : "";
  c.target = target;
  c.model = model;
  c.fill = traits.head ? "hidden" : "normal";
  c.top = traits.top ? 16 : 0;
  c.id = cases::case_id(c);
  return c;
}

/// One use of each operator, by FMAs on sm_70 and in a native order.
std::vector<cases::Case> cases_of_emulator() {
  std::vector<cases::Case> all;
  for (const auto& [target, model] : {std::pair{"sm70", "fma-lowered"}, std::pair{"sm90", "hopper"}}) {
    for (const char* operation : {"qpn2_gemm", "tm_gemm", "dense_prefill"})
      all.push_back(case_of(operation, "attn_o", operation[0] == 'q' ? 8 : 64, target, model));
    all.push_back(case_of("qpn2_gated", "smollm2.15.gate_up", 8, target, model));
    for (const std::uint32_t m : {1U, 8U, 16U, 40U})
      for (const char* slice : {"fp8.attn_o", "fp8.attn_o_block"})
        all.push_back(case_of("qpn8_gemm", slice, m, target, model));
    for (const std::uint32_t m : {1U, 8U})
      all.push_back(case_of("lm_head", "whisper.head", m, target, model));
  }
  return all;
}

/// The production shapes, and FP8 weights of one of them.
std::vector<cases::Case> cases_of_gpu(Target target) {
  std::vector<cases::Case> all;
  const char* model = target == Target::sm70 ? "volta" : target == Target::sm80 ? "ampere" : "hopper";
  const std::string name(to_string(target));
  for (const char* suite : {"production", "wide", "lm-head"})
    for (const cases::Case& c : cases::load_suite(suite).cases)
      if (c.target == name && c.model == model && !c.library) all.push_back(c);
  for (const std::uint32_t m : {1U, 2U, 4U, 8U, 16U, 32U})
    for (const char* slice : {"fp8.attn_o", "fp8.attn_o_block"})
      all.push_back(case_of("qpn8_gemm", slice, m, name.c_str(), model));
  return all;
}

device::Device& emulator_of(const std::string& model) {
  static std::map<std::string, std::unique_ptr<device::Device>> made;
  auto& device = made[model];
  if (!device)
    device = device::make_emulator({.model = reference::model_from_string(model).value(), .threads = 1});
  return *device;
}

device::Device& gpu() {
  static const auto made = device::make_cuda(0);
  return *made;
}

}  // namespace

void register_kernel_benchmarks() {
  for (const cases::Case& c : cases_of_emulator())
    for (const auto& [name, time] : timings_of(c))
      benchmark::RegisterBenchmark(
          ("emulator/" + name).c_str(),
          [c, time = time](benchmark::State& state) { time(state, emulator_of(c.model)); })
          ->Iterations(2)
          ->Unit(benchmark::kMillisecond);  // each has its reference made first
  const auto gpus = device::cuda_devices();
  if (gpus.empty() || gpus[0].major < 7) return;
  for (const cases::Case& c : cases_of_gpu(target_for_capability(gpus[0].major, gpus[0].minor)))
    for (const auto& [name, time] : timings_of(c))
      benchmark::RegisterBenchmark(("gpu/" + name).c_str(),
                                   [time = time](benchmark::State& state) { time(state, gpu()); })
          ->UseManualTime()
          ->Iterations(50)  // each is hundreds of uses, of which the time of one is reported
          ->Unit(benchmark::kMicrosecond);
}

}  // namespace quadpair
