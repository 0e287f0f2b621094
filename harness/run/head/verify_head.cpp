#include "harness/run/head/verify_head.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <array>
#include <chrono>
#include <utility>

#include "cases/error.hpp"
#include "harness/compare/check.hpp"
#include "harness/compare/verdict.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/cost_record.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/head/head_on_device.hpp"
#include "harness/run/head/head_reference.hpp"
#include "kernels/lm_head/screen.hpp"
#include "kernels/lm_head/top1.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::run {
namespace {

using Rounds = std::vector<std::vector<std::uint16_t>>;
using Clock = std::chrono::steady_clock;

constexpr unsigned rounds_of_inputs = 3;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The device's dense logits at the ids that the rerank gave: its values must be those.
std::vector<std::uint32_t> dense_at_ids(const HeadOutput& actual, const HeadProblem& problem,
                                        const cases::HeadMatrix& head) {
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < actual.ids.size(); ++i) {
    const std::uint32_t id = actual.ids[i] - head.first_id;  // wraps for an absent one
    values.push_back(id < head.n ? actual.dense[i / problem.top * head.n + id] : reference::float_nan);
  }
  return values;
}

void add_checks(const HeadOutput& expected, const HeadOutput& actual, const HeadProblem& problem,
                const cases::HeadMatrix& head, std::vector<reports::Check>& checks) {
  const auto add = [&](std::string_view what, const auto& wanted, const auto& found, std::uint64_t columns) {
    using T = typename std::decay_t<decltype(found)>::value_type;
    checks.push_back(compare::bitwise(fmt::format("{}, {}", what, actual.name), std::span<const T>(wanted),
                                      std::span<const T>(found)));
    checks.back().columns = columns;
  };
  if (problem.top1) {
    add("logits", expected.logits, actual.logits, head.n);
    add("values", expected.maxima, actual.maxima, 1);
    add("ids", expected.ids, actual.ids, 1);
    return;
  }
  add("screening logits", expected.logits, actual.logits, head.n);
  add("candidates", expected.candidates, actual.candidates, expected.candidates.size() / problem.m);
  add("values", expected.values, actual.values, problem.top);
  add("ids", expected.ids, actual.ids, problem.top);
  add("dense logits", expected.dense, actual.dense, head.n);
  add("values equal the dense logits", dense_at_ids(actual, problem, head), actual.values, problem.top);
}

std::string route_of(const std::vector<reports::KernelRecord>& kernels) {
  std::string route;
  for (const reports::KernelRecord& kernel : kernels)
    route += fmt::format("{}{}@{}", route.empty() ? "" : " + ", kernel.name, kernel.target);
  return route;
}

/// A flag as a check of one element.
reports::Check holds(const char* name, bool good) {
  const std::array<std::uint8_t, 1> none{}, found{static_cast<std::uint8_t>(good ? 0 : 1)};
  return compare::bitwise(name, none, found);
}

/// The case on a device, options.repeats times from the start; the first run with what the others showed.
HeadActual run_on(DevicePool& devices, unsigned threads, const HeadProblem& problem, const PreparedHead& head,
                  const Rounds& rounds, const Options& options) {
  auto device = devices.take(problem.model, threads);
  const device::MemoryUse before = device->memory_use();
  HeadActual actual = run_head_on_device(*device, problem, head, rounds, options.find_module);
  bool same = true;
  for (unsigned n = 2; n <= options.repeats; ++n)
    same =
        run_head_on_device(*device, problem, head, rounds, options.find_module).outputs == actual.outputs &&
        same;
  if (options.repeats > 1) actual.checks.push_back(holds("repeats", same));
  const device::MemoryUse after = device->memory_use();
  actual.checks.push_back(
      holds("memory returned", before.buffers == after.buffers && before.bytes == after.bytes));
  devices.give_back(problem.model, threads, std::move(device));
  return actual;
}

}  // namespace

HeadProblem make_head_problem(const cases::Case& c, const cases::SliceSource& slices) {
  const auto shape = slices.shape(c.slice);
  if (!shape) throw cases::DataError(fmt::format("head '{}' is not known", c.slice));
  const auto target = target_from_string(c.target);
  const auto model = reference::model_from_string(c.model);
  if (!target || !model)
    throw cases::DataError(
        fmt::format("case {}: target {} or model {} is not known", c.id, c.target, c.model));
  return {
      *target, *model, c.m, shape->n, shape->k, c.top, shape->k + c.ldx_extra, c.operation == "lm_head_top1"};
}

void verify_head(const cases::Case& c, const Options& options, Resources& resources, unsigned threads,
                 reports::CaseRecord& record) {
  const HeadProblem problem = make_head_problem(c, *options.slices);
  record.shape = {c.m, problem.n, problem.k, qpn2::pad_to_tile(problem.n)};
  const qpn8::Tuning tuning = problem.top1 ? lm_head::top1_tuning : lm_head::screen_tuning;
  const AccumulationPlan plan = qpn8::accumulation_plan(problem.k, tuning, problem.target);
  if (!reference::defines(problem.model, plan.mma))
    throw cases::DataError(
        fmt::format("case {}: model {} does not define {}", c.id, c.model, to_string(plan.mma)));
  record.plan = to_string(plan);
  if (!problem.top1) record.plan += fmt::format("; dense and rerank: {}", to_string(DotPlan{}));
  record.split_k = tuning.split_k;
  record.chains = tuning.chains;
  const auto prepared = resources.heads.head(c.slice);
  record.slice.source = prepared->head->source;
  record.slice.sha256 = prepared->sha256;

  Rounds rounds;
  for (unsigned round = 0; round < rounds_of_inputs; ++round)
    rounds.push_back(inputs::make_head_inputs(c, *prepared->head, options.seed, round));
  if (c.m == 0) rounds.assign(1, std::vector<std::uint16_t>(problem.ldx));
  const Clock::time_point begin = Clock::now();
  HeadActual actual = run_on(resources.devices, threads, problem, *prepared, rounds, options);
  record.seconds.device += since(begin);
  record.kernels = std::move(actual.kernels);
  record.route = route_of(actual.route);
  record.workspace_bytes = actual.workspace_bytes;
  if (actual.cost) record.cost = cost_record(*actual.cost);
  record.checks = std::move(actual.checks);
  record.notes = std::move(actual.notes);

  if (options.outputs_only) {
    record.checks.clear();
    for (const HeadOutput& output : actual.outputs)
      add_checks(output, output, problem, *prepared->head, record.checks);
    record.status = reports::Status::passed;
    record.reason.clear();
    return;
  }
  const Clock::time_point middle = Clock::now();
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    HeadReference reference(problem, *prepared, plan);
    for (const HeadOutput& output : actual.outputs)
      add_checks(reference.round(rounds[output.round]), output, problem, *prepared->head, record.checks);
    if (c.m > 0 && !problem.top1) record.screening = reference.screening();
  });
  record.seconds.reference += since(middle);
  const compare::Verdict verdict = compare::judge(record.checks, std::nullopt);
  record.status = verdict.status;
  record.reason = verdict.reason;
}

}  // namespace quadpair::run
