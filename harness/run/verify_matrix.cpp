#include "harness/run/verify_matrix.hpp"

#include <fmt/format.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <utility>

#include "cases/operators.hpp"
#include "harness/compare/check.hpp"
#include "harness/compare/trust.hpp"
#include "harness/compare/verdict.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/cost_record.hpp"
#include "harness/run/evidence.hpp"
#include "harness/run/kept_arrays.hpp"
#include "harness/run/launches.hpp"
#include "harness/run/repeated_run.hpp"
#include "harness/run/schedule.hpp"
#include "harness/run/timed.hpp"

namespace quadpair::run {
namespace {

/// What `work` gives; `other` is done meanwhile, or afterwards where no thread is free for it.
template <class Other, class Work>
auto beside(const Other& other, const Work& work) {
  tbb::task_group group;
  group.run(other);
  try {
    auto result = work();
    group.wait();
    return result;
  } catch (...) {
    group.cancel();
    group.wait();
    throw;
  }
}

/// Those rows of an output, on end.
std::vector<std::uint16_t> rows_of(const Output& output, const std::vector<std::uint32_t>& rows,
                                   std::size_t columns) {
  std::vector<std::uint16_t> picked;
  picked.reserve(rows.size() * columns);
  for (const std::uint32_t row : rows) {
    const auto begin = output.y.begin() + static_cast<std::ptrdiff_t>(row * columns);
    picked.insert(picked.end(), begin, begin + static_cast<std::ptrdiff_t>(columns));
  }
  return picked;
}

const Output* find(const Actual& actual, std::string_view name) {
  const auto found = std::ranges::find(actual.outputs, name, &Output::name);
  return found == actual.outputs.end() ? nullptr : &*found;
}

std::vector<reports::Check> checks_of(const Problem& p, const Expected& expected, const Actual& actual) {
  std::vector<reports::Check> checks = actual.weight_checks;
  const std::size_t elements = std::size_t{p.rows} * p.columns;
  const std::size_t judged = expected.oracle_rows.size() * p.columns;
  const auto add = [&](reports::Check check) {
    check.columns = p.columns;
    checks.push_back(std::move(check));
  };
  for (const Output& output : actual.outputs) {
    if (!p.library)
      add(compare::bitwise(output.name, std::span(expected.y).subspan(output.round * elements, elements),
                           output.y));
    if (judged > 0)
      add(compare::within_bound(output.name + " within FP64 bound",
                                std::span(expected.oracle.value).subspan(output.round * judged, judged),
                                std::span(expected.oracle.bound).subspan(output.round * judged, judged),
                                rows_of(output, expected.oracle_rows, p.columns)));
  }
  for (const char* name : {"eager", "replay 1", "replay 2"})
    if (const Output* control = find(actual, fmt::format("library on control weights, {}", name)))
      add(compare::bitwise(fmt::format("{} equals the library on control weights", name), control->y,
                           find(actual, name)->y));
  const Output* replayed = find(actual, "replay 2");
  const Output* again = find(actual, "eager again");
  if (replayed != nullptr && again != nullptr)
    add(compare::bitwise("eager again equals replay 2", replayed->y, again->y));
  checks.insert(checks.end(), actual.checks.begin(), actual.checks.end());
  return checks;
}

compare::Evidence evidence_of(const cases::Case& c, const Problem& p, const Matrix& matrix,
                              const std::vector<inputs::Inputs>& rounds, const Expected& expected) {
  compare::Evidence evidence;
  const bool sums = p.op.plan && p.m > 0;
  evidence.judges_order = c.judges_order && sums;
  evidence.promises_all_codes = c.promises_all_codes && sums;
  evidence.coverage = matrix.coverage;
  evidence.sums_exact = sums && sampled_sums_exact(matrix.decoded(p.op.rule), p.m, p.ldx, rounds.at(0).x);
  const std::size_t elements = std::size_t{p.rows} * p.columns;
  const std::size_t changing = takes_activations(c) ? rounds.size() : 1;
  for (std::size_t round = 0; round < changing; ++round)
    evidence.expected.push_back(std::span(expected.y).subspan(round * elements, elements));
  return evidence;
}

/// The number of rows that a case of one row is followed by, where its workspace might grow with it.
constexpr std::uint32_t larger_rows = 32;

bool grows(const cases::Case& c) {
  return c.m == 1 && c.operation.starts_with("qpn2_dispatch");
}

/// What a device makes of the case, followed by a larger run where it asks for one.
Actual run_case_on(DevicePool& devices, unsigned threads, const cases::Case& c, const Problem& problem,
                   const Matrix& matrix, const std::vector<inputs::Inputs>& rounds, const Options& options) {
  CaseData data{problem, matrix, rounds};
  const auto run = [&] {
    return run_repeatedly(devices, problem.model, threads, options.repeats, [&](device::Device& device) {
      return run_on_device(device, data, options.find_module);
    });
  };
  if (!grows(c)) return run();
  cases::Case larger_case = c;
  larger_case.m = larger_rows;
  const Problem larger = make_problem(larger_case, *matrix.weights);
  const inputs::Inputs larger_inputs = inputs::make_inputs(larger_case, matrix.weights, options.seed, 0);
  data.larger = &larger;
  data.larger_inputs = &larger_inputs;
  return run();
}

}  // namespace

void verify_matrix(const cases::Case& c, const Problem& problem, const Matrix& matrix, const Options& options,
                   DevicePool& devices, unsigned threads, reports::CaseRecord& record) {
  std::vector<inputs::Inputs> rounds(rounds_of_inputs);
  for (unsigned round = 0; round < rounds_of_inputs && takes_activations(c); ++round)
    rounds[round] = inputs::make_inputs(c, matrix.weights, options.seed, round);

  Expected expected;
  const auto reference = [&] {
    if (!options.outputs_only)
      expected = timed(record.seconds.reference, [&] { return problem.op.expect(matrix, rounds); });
  };
  const Actual actual = beside(reference, [&] {
    return timed(record.seconds.device,
                 [&] { return run_case_on(devices, threads, c, problem, matrix, rounds, options); });
  });
  record.kernels = actual.kernels;
  record.route = route_of(actual.route);
  if (actual.cost) record.cost = cost_record(*actual.cost);
  if (options.outputs_only) {
    for (const Output& output : actual.outputs)
      record.checks.push_back(compare::bitwise(output.name, output.y, output.y));
    record.status = reports::Status::passed;
    record.reason.clear();
    return;
  }
  record.checks = checks_of(problem, expected, actual);
  const auto evidence = evidence_of(c, problem, matrix, rounds, expected);
  const compare::Verdict verdict = compare::judge(record.checks, compare::why_mistrusted(evidence));
  record.status = verdict.status;
  record.reason = verdict.reason;
  record.notes = actual.notes;
  if (kept(options.save_arrays, record.status))
    record.arrays = arrays_of(problem, rounds, *matrix.weights, expected.y, actual.outputs);
}

}  // namespace quadpair::run
