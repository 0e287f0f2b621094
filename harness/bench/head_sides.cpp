#include "harness/bench/head_sides.hpp"

#include <algorithm>
#include <cstring>

#include "harness/bench/sides.hpp"
#include "harness/bench/tensors.hpp"
#include "harness/compare/check.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/head/head_reference.hpp"
#include "harness/run/head/verify_head.hpp"
#include "harness/run/launches.hpp"
#include "kernels/lm_head/screen.hpp"

namespace quadpair::bench {
namespace {

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

/// An output of 32-bit elements, judged against `expected` on end.
Output output_of(device::Device& device, std::vector<std::uint32_t> expected, std::uint64_t columns) {
  const std::size_t bytes = expected.size() * sizeof(std::uint32_t);
  return {device.allocate("results", bytes, device::Access::output, 0),
          [expected = std::move(expected), columns](const std::string& name,
                                                    const std::vector<std::byte>& actual) {
            std::vector<std::uint32_t> found(actual.size() / sizeof(std::uint32_t)), wanted;
            std::memcpy(found.data(), actual.data(), actual.size());
            while (wanted.size() < found.size())
              wanted.insert(wanted.end(), expected.begin(), expected.end());
            reports::Check check = compare::bitwise(name, std::span<const std::uint32_t>(wanted),
                                                    std::span<const std::uint32_t>(found));
            check.columns = columns;
            return std::vector{check};
          },
          nullptr};
}

lm_head::Head load(device::Device& device, const HeadCase& c, const run::ModuleLookup& find_module) {
  const Execute execute = [&](std::span<const Launch> launches) {
    device.run(run::looked_up({launches.begin(), launches.end()}, find_module));
  };
  return {run::weights_of(*c.prepared->head), false, c.problem.target, allocate_on(device), execute};
}

}  // namespace

std::uint64_t HeadCase::weight_bytes() const {
  const std::vector<StorageItem> items = lm_head::storage(problem.n, problem.k, false);
  return items.at(0).bytes + items.at(1).bytes;
}

std::uint64_t HeadCase::contract_bytes() const {
  const std::uint64_t m = problem.m, half = sizeof(std::uint16_t);
  return weight_bytes() + m * problem.candidates() * problem.k * half + m * problem.k * half +
         m * problem.top * 2 * sizeof(std::uint32_t);
}

HeadCase make_head_case(const cases::Case& c, const Options& options, run::HeadCache& heads) {
  HeadCase made{run::make_head_problem(c, *options.run.slices), heads.head(c.slice), {}, {}};
  made.x = inputs::make_head_inputs(c, *made.prepared->head, options.run.seed, 0);
  const AccumulationPlan plan =
      qpn8::accumulation_plan(made.problem.k, lm_head::screen_tuning, made.problem.target);
  made.expected = run::HeadReference(made.problem, *made.prepared, plan).round(made.x);
  return made;
}

HeadSides::HeadSides(device::Device& device, const HeadCase& c, std::uint32_t tensors,
                     const run::ModuleLookup& find_module)
    : case_(c), x_(input_buffer(device, "x", run::bytes_of(c.x))) {
  const run::HeadProblem& p = c.problem;
  std::vector<std::uint32_t> results = c.expected.values;
  results.insert(results.end(), c.expected.ids.begin(), c.expected.ids.end());
  Output chosen = output_of(device, std::move(results), p.top),
         dense = output_of(device, c.expected.dense, p.n);
  const std::size_t logits = aligned(std::size_t{p.m} * p.ld() * sizeof(std::uint16_t));
  const std::size_t candidates = aligned(std::size_t{p.m} * p.candidates() * sizeof(std::uint32_t));
  chosen.workspace = device.allocate("workspace", logits + 2 * candidates, device::Access::scratch, 0);
  run::HeadPlaces places;
  places.x = x_->address();
  places.logits = chosen.workspace->address();
  places.candidates = places.logits + logits;
  places.scores = places.candidates + candidates;
  places.values = chosen.buffer->address();
  places.ids = places.values + std::uint64_t{p.m} * p.top * sizeof(float);
  places.dense = dense.buffer->address();

  std::vector<std::vector<Launch>> candidate, control;
  for (std::uint32_t tensor = 0; tensor < tensors; ++tensor) {
    heads_.push_back(load(device, c, find_module));
    candidate.push_back(run::looked_up(run::screen_and_rerank(p, heads_.back(), places), find_module));
    control.push_back(run::looked_up(run::dense_head(p, heads_.back(), places), find_module));
  }
  candidate_ = std::make_unique<KernelSide>("lm_head_screen + lm_head_rerank", std::move(chosen), device,
                                            std::move(candidate));
  control_ = std::make_unique<KernelSide>("lm_head_dense", std::move(dense), device, std::move(control));
}

Sides HeadSides::sides() const {
  return {*candidate_, *control_, case_.problem.m, case_.weight_bytes(), case_.contract_bytes()};
}

}  // namespace quadpair::bench
