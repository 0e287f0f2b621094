#include "harness/run/head/verify_head.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <utility>

#include "cases/error.hpp"
#include "harness/compare/verdict.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/cost_record.hpp"
#include "harness/run/head/head_checks.hpp"
#include "harness/run/launches.hpp"
#include "harness/run/repeated_run.hpp"
#include "harness/run/schedule.hpp"
#include "harness/run/timed.hpp"
#include "kernels/lm_head/screen.hpp"
#include "kernels/lm_head/top1.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::run {

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
  record.coverage = problem.top1 ? compare::cover_fp16(prepared->head->weights) : prepared->coverage();

  std::vector<std::vector<std::uint16_t>> rounds;
  for (unsigned round = 0; round < rounds_of_inputs; ++round)
    rounds.push_back(inputs::make_head_inputs(c, *prepared->head, options.seed, round));
  if (c.m == 0) rounds.assign(1, std::vector<std::uint16_t>(problem.ldx));
  HeadActual actual = timed(record.seconds.device, [&] {
    return run_repeatedly(
        resources.devices, problem.model, threads, options.repeats, [&](device::Device& device) {
          return run_head_on_device(device, problem, *prepared, rounds, options.find_module);
        });
  });
  record.kernels = std::move(actual.kernels);
  record.route = route_of(actual.route);
  record.workspace_bytes = actual.workspace_bytes;
  if (actual.cost) record.cost = cost_record(*actual.cost);
  record.notes = std::move(actual.notes);
  if (options.outputs_only) {
    record.checks = outputs_alone(problem, actual);
    record.status = reports::Status::passed;
    record.reason.clear();
    return;
  }

  HeadReference reference(problem, *prepared, plan);
  tbb::task_arena arena(static_cast<int>(threads));
  const auto expected = timed(record.seconds.reference, [&] {
    return arena.execute([&] {
      std::vector<HeadExpected> of_rounds;
      of_rounds.reserve(rounds.size());
      for (const std::vector<std::uint16_t>& x : rounds) of_rounds.push_back(reference.expect(x));
      return of_rounds;
    });
  });
  if (c.m > 0 && !problem.top1) record.screening = reference.screening();
  record.checks = std::move(actual.checks);
  for (reports::Check& check : checks_of(problem, *prepared->head, expected, actual))
    record.checks.push_back(std::move(check));
  const auto evidence = evidence_of(c, problem, *prepared, rounds, expected);
  const compare::Verdict verdict = compare::judge(record.checks, compare::why_mistrusted(evidence));
  record.status = verdict.status;
  record.reason = verdict.reason;
}

}  // namespace quadpair::run
