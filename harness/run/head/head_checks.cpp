#include "harness/run/head/head_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "harness/compare/check.hpp"
#include "harness/run/evidence.hpp"

namespace quadpair::run {
namespace {

template <class T>
reports::Check same(std::string name, const std::vector<T>& expected, const std::vector<T>& actual,
                    std::uint64_t columns) {
  reports::Check check =
      compare::bitwise(std::move(name), std::span<const T>(expected), std::span<const T>(actual));
  check.columns = columns;
  return check;
}

template <class T>
reports::Check bounded(std::string_view array, const HeadOutput& actual,
                       const reference::OracleResult& oracle, const std::vector<T>& found,
                       std::uint64_t columns) {
  reports::Check check = compare::within_bound(fmt::format("{}, {} within FP64 bound", array, actual.name),
                                               oracle.value, oracle.bound, std::span<const T>(found));
  check.columns = columns;
  return check;
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

}  // namespace

std::vector<reports::Check> checks_of(const HeadProblem& problem, const cases::HeadMatrix& head,
                                      const std::vector<HeadExpected>& expected, const HeadActual& actual) {
  std::vector<reports::Check> checks;
  for (const HeadOutput& output : actual.outputs) {
    const HeadExpected& wanted = expected.at(output.round);
    each_array(problem, [&](std::string_view array, auto member, std::uint32_t columns) {
      checks.push_back(
          same(fmt::format("{}, {}", array, output.name), wanted.output.*member, output.*member, columns));
    });
    checks.push_back(bounded(problem.top1 ? "logits" : "screening logits", output, wanted.logits,
                             output.logits, problem.n));
    if (problem.top1) continue;
    checks.push_back(bounded("dense logits", output, wanted.dense, output.dense, problem.n));
    checks.push_back(same(fmt::format("values equal the dense logits, {}", output.name),
                          dense_at_ids(output, problem, head), output.values, problem.top));
  }
  const auto find = [&](std::string_view name) {
    return std::ranges::find(actual.outputs, name, &HeadOutput::name);
  };
  const auto replayed = find("replay 2"), again = find("eager again");
  if (replayed != actual.outputs.end() && again != actual.outputs.end())
    each_array(problem, [&](std::string_view array, auto member, std::uint32_t columns) {
      checks.push_back(same(fmt::format("{}, eager again equals replay 2", array), *replayed.*member,
                            *again.*member, columns));
    });
  return checks;
}

std::vector<reports::Check> outputs_alone(const HeadProblem& problem, const HeadActual& actual) {
  std::vector<reports::Check> checks;
  for (const HeadOutput& output : actual.outputs)
    each_array(problem, [&](std::string_view array, auto member, std::uint32_t columns) {
      checks.push_back(
          same(fmt::format("{}, {}", array, output.name), output.*member, output.*member, columns));
    });
  return checks;
}

compare::Evidence evidence_of(const cases::Case& c, const HeadProblem& problem, const PreparedHead& head,
                              const std::vector<std::vector<std::uint16_t>>& rounds,
                              const std::vector<HeadExpected>& expected) {
  compare::Evidence evidence;
  const bool sums = problem.m > 0;
  const auto exact = [&](const reference::GemmMatrix& weights) {
    return sampled_sums_exact(weights, problem.m, problem.ldx, rounds.at(0));
  };
  evidence.judges_order = c.judges_order && sums;
  evidence.promises_all_codes = c.promises_all_codes && sums && !problem.top1;  // which takes FP16 weights
  evidence.coverage = head.coverage();
  // Screening and the dense head have an order of sums each.
  evidence.sums_exact = sums && (exact(head.exact()) || (!problem.top1 && exact(head.decoded())));
  for (const HeadExpected& round : expected) {
    evidence.expected.emplace_back(round.output.logits);
    evidence.expected_fp32.emplace_back(round.output.dense);
  }
  return evidence;
}

}  // namespace quadpair::run
