#include "harness/bench/isolated_bench.hpp"

#include "harness/bench/worker.hpp"
#include "harness/run/case_runner.hpp"

namespace quadpair::bench {

std::optional<Result> IsolatedBench::run(const cases::Case& c) {
  reports::CaseRecord skipped = run::begin_record(c, options_);
  if (skipped.status == reports::Status::skipped) return Result{std::move(skipped)};
  std::optional<Comparison> comparison;
  auto record = worker_.ask(c, request_text(c), [&](std::string_view answer) {
    Result result = answer_from_text(answer);
    comparison = std::move(result.comparison);
    return std::move(result.record);
  });
  if (!record) return std::nullopt;
  if (record->status != reports::Status::passed) comparison.reset();
  return Result{std::move(*record), std::move(comparison)};
}

}  // namespace quadpair::bench
