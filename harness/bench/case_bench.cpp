#include "harness/bench/case_bench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/bench/count.hpp"
#include "harness/bench/head_sides.hpp"
#include "harness/bench/time.hpp"
#include "harness/device/threads.hpp"
#include "harness/run/case_runner.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::bench {
namespace {

using reports::Status;

void fail(reports::CaseRecord& record, const std::string& reason) {
  record.status = Status::failed;
  record.reason = reason;
}

}  // namespace

Bench::Bench(const Options& options, timing::ClockSource& clock)
    : options_(options),
      clock_(clock),
      threads_(device::thread_count(options.run.jobs)),
      resources_(options.run) {}

double Bench::ceiling(device::Device& device, Target target, Temperature temperature) {
  const auto known = ceilings_.find(temperature);
  if (known != ceilings_.end()) return known->second;
  const double measured = measure_ceiling(device, target, temperature, options_.run.find_module);
  return ceilings_.emplace(temperature, measured).first->second;
}

std::optional<Comparison> Bench::compare(const cases::Case& c, reports::CaseRecord& record) {
  if (c.operation == "lm_head") return compare_head(c, record);
  if (c.operation == "lm_head_top1") throw Refused("lm_head_top1 is not timed");
  const BenchCase made = make_case(c, options_, resources_.matrices);
  run::DevicePool& pool = resources_.devices;
  auto device = pool.take(made.problem.model, threads_);
  std::optional<Comparison> comparison;
  if (!device->take_cost()) {
    comparison = time_case(
        *device, made, options_, clock_,
        [&](Temperature temperature) { return ceiling(*device, made.problem.target, temperature); }, record);
  } else if (made.control && made.control->model != made.problem.model) {
    auto other = pool.take(made.control->model, threads_);
    comparison = count_case(*device, *other, made, options_, record);
    pool.give_back(made.control->model, threads_, std::move(other));
  } else {
    comparison = count_case(*device, *device, made, options_, record);
  }
  pool.give_back(made.problem.model, threads_, std::move(device));

  return judged(c, std::move(comparison), options_.control.name, record);
}

std::optional<Comparison> Bench::compare_head(const cases::Case& c, reports::CaseRecord& record) {
  if (options_.control.kind != Control::Kind::stream || options_.early_start)
    throw Refused("screening and rerank are timed against the dense head alone");
  const HeadCase made = make_head_case(c, options_, resources_.heads);
  run::DevicePool& pool = resources_.devices;
  auto device = pool.take(made.problem.model, threads_);
  std::optional<Comparison> comparison;
  if (!device->take_cost()) {
    const std::uint32_t tensors = tensors_for(made.weight_bytes(), options_, device->info());
    HeadSides sides(*device, made, tensors, options_.run.find_module);
    comparison = time_sides(
        *device, sides.sides(), tensors, options_, clock_,
        [&](Temperature temperature) { return ceiling(*device, made.problem.target, temperature); }, record);
  } else {
    HeadSides sides(*device, made, 1, options_.run.find_module);
    comparison = count_sides(*device, *device, sides.sides(), options_, record);
  }
  pool.give_back(made.problem.model, threads_, std::move(device));
  return judged(c, std::move(comparison), "lm_head_dense", record);
}

std::optional<Comparison> Bench::judged(const cases::Case& c, std::optional<Comparison> comparison,
                                        const std::string& control, reports::CaseRecord& record) const {
  const auto wrong = std::ranges::find_if_not(record.checks, &reports::Check::passed);
  if (wrong != record.checks.end()) {
    fail(record, reports::describe(*wrong));
    return std::nullopt;
  }
  comparison->record.id = c.id;
  comparison->record.control = control;
  comparison->early_start = options_.early_start;
  return comparison;
}

Result Bench::run(const cases::Case& c) {
  Result result{run::run_case(c, options_.run, resources_, threads_)};
  reports::CaseRecord& record = result.record;
  if (record.status != Status::passed || c.refused) return result;
  const auto skip = [&](const std::string& reason) {
    record.status = Status::skipped;
    record.reason = reason;
  };
  if (c.m == 0) {
    skip("no rows, so nothing to time");
    return result;
  }
  try {
    result.comparison = compare(c, record);
  } catch (const device::Unavailable&) {
    throw;
  } catch (const Refused& e) {
    skip(fmt::format("not against {}: {}", options_.control.name, e.what()));
  } catch (const std::exception& e) {
    fail(record, fmt::format("while timing: {}", e.what()));
  }
  return result;
}

}  // namespace quadpair::bench
