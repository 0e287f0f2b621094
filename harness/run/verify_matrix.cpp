#include "harness/run/verify_matrix.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <utility>

#include "harness/inputs/inputs.hpp"
#include "harness/run/evidence.hpp"
#include "harness/run/repeated_run.hpp"
#include "reference/oracle/oracle.hpp"

namespace quadpair::run {
namespace {

constexpr unsigned rounds_of_inputs = 3;  ///< the eager one, and two that replays change to

/// Seconds that `work` takes, added to `total`; gives what work gives.
template <class Work>
auto timed(double& total, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

/// What the reference and the oracle say, all rounds of inputs on end as if they were rows of one.
struct Expected {
  std::vector<std::uint16_t> y;  ///< FP16 [rounds.m, columns]
  reference::OracleResult oracle;
};

Expected expect(const Problem& p, const Matrix& matrix, const std::vector<inputs::Inputs>& rounds) {
  std::vector<std::uint16_t> x;
  for (const inputs::Inputs& round : rounds) x.insert(x.end(), round.x.begin(), round.x.end());
  const auto rows = static_cast<std::uint32_t>(rounds.size()) * p.m;
  if (p.gated)
    return {matrix.reference.gated(x.data(), rows, p.ldx, p.plan, p.model),
            reference::oracle_gated(matrix.reference, x.data(), rows, p.ldx, p.plan, p.model)};
  return {matrix.reference.gemm(x.data(), rows, p.ldx, p.plan, p.model),
          reference::oracle_gemm(matrix.reference, x.data(), rows, p.ldx, p.plan, p.model)};
}

std::string route_of(const Actual& actual) {
  std::string route;
  for (const reports::KernelRecord& kernel : actual.kernels)
    route += fmt::format("{}{}@{}", route.empty() ? "" : " + ", kernel.name, kernel.target);
  return route;
}

reports::CostRecord cost_of(const device::Cost& cost) {
  reports::CostRecord record;
  record.warp_instructions = cost.warp_instructions;
  record.mma = cost.mma;
  record.divergent_branches = cost.divergent_branches;
  return record;
}

std::vector<compare::Check> checks_of(const Problem& p, const Matrix& matrix, const Expected& expected,
                                      const Actual& actual) {
  std::vector<compare::Check> checks;
  checks.push_back(compare::bitwise("packed codes", matrix.packed_codes, actual.packed_codes));
  checks.push_back(compare::bitwise("packed scales", matrix.packed_scales, actual.packed_scales));
  const std::size_t elements = std::size_t{p.m} * p.columns();
  const auto slice = [&](const auto& values, std::size_t round) {
    return std::span(values).subspan(round * elements, elements);
  };
  const auto add = [&](compare::Check check) {
    check.columns = p.columns();
    checks.push_back(std::move(check));
  };
  for (const Output& output : actual.outputs) {
    add(compare::bitwise(output.name, slice(expected.y, output.round), output.y));
    add(compare::within_bound(output.name + " within FP64 bound", slice(expected.oracle.value, output.round),
                              slice(expected.oracle.bound, output.round), output.y));
  }
  if (actual.outputs.size() >= 2) {
    const Output& replayed = actual.outputs[actual.outputs.size() - 2];
    const Output& again = actual.outputs.back();
    add(compare::bitwise(again.name + " equals " + replayed.name, replayed.y, again.y));
  }
  checks.insert(checks.end(), actual.checks.begin(), actual.checks.end());
  return checks;
}

compare::Evidence evidence_of(const cases::Case& c, const Problem& p, const Matrix& matrix,
                              const std::vector<inputs::Inputs>& rounds, const Expected& expected) {
  compare::Evidence evidence;
  evidence.judges_order = c.judges_order && p.m > 0;
  evidence.promises_all_codes = c.promises_all_codes;
  evidence.coverage = matrix.coverage;
  evidence.sums_exact = sampled_sums_exact(matrix, rounds.at(0));
  const std::size_t elements = std::size_t{p.m} * p.columns();
  for (std::size_t round = 0; round < rounds.size(); ++round)
    evidence.expected.push_back(std::span(expected.y).subspan(round * elements, elements));
  return evidence;
}

}  // namespace

void verify_matrix(const cases::Case& c, const Problem& problem, const Matrix& matrix, const Options& options,
                   DevicePool& devices, unsigned threads, reports::CaseRecord& record) {
  std::vector<inputs::Inputs> rounds;
  for (unsigned round = 0; round < rounds_of_inputs; ++round)
    rounds.push_back(inputs::make_inputs(c, matrix.weights, options.seed, round));

  const Actual actual = timed(record.seconds.device, [&] {
    return run_repeatedly(devices, threads, problem, matrix, rounds, options);
  });
  record.kernels = actual.kernels;
  record.route = route_of(actual);
  if (actual.cost) record.cost = cost_of(*actual.cost);
  if (options.outputs_only) {
    for (const Output& output : actual.outputs)
      record.checks.push_back(compare::bitwise(output.name, output.y, output.y));
    record.status = compare::Status::passed;
    record.reason.clear();
    return;
  }
  tbb::task_arena arena(static_cast<int>(threads));
  const Expected expected = timed(record.seconds.reference, [&] {
    return arena.execute([&] { return expect(problem, matrix, rounds); });
  });

  record.checks = checks_of(problem, matrix, expected, actual);
  const auto evidence = evidence_of(c, problem, matrix, rounds, expected);
  const compare::Verdict verdict = compare::judge(record.checks, compare::why_mistrusted(evidence));
  record.status = verdict.status;
  record.reason = verdict.reason;
  record.notes = actual.notes;
}

}  // namespace quadpair::run
