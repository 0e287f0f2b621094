#include "harness/bench/time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/run/launches.hpp"
#include "harness/timing/bandwidth.hpp"
#include "harness/timing/graph_subject.hpp"

namespace quadpair::bench {
namespace {

/// Adds the checks; whether all passed.
bool keep(const std::vector<reports::Check>& checks, reports::CaseRecord& record) {
  record.checks.insert(record.checks.end(), checks.begin(), checks.end());
  return std::ranges::all_of(checks, &reports::Check::passed);
}

Temperature temperature_of(std::uint64_t weight_bytes, std::uint32_t tensors, std::uint64_t l2) {
  return l2 > 0 && (tensors - 1) * weight_bytes > 2 * l2 ? Temperature::cold : Temperature::hot;
}

std::string sampling_text(Temperature temperature, const timing::SamplePlan& plan) {
  const char* cache = temperature == Temperature::cold ? "cold"
                      : plan.tensors == 1              ? "hot"
                                                       : "a working set within twice the L2";
  return fmt::format("{}: {}", cache, to_string(plan));
}

/// Medians over the rounds that count: control, candidate.
std::pair<double, double> medians(const std::vector<timing::Round>& rounds) {
  std::vector<double> control, candidate;
  for (const timing::Round& r : rounds) {
    control.insert(control.end(), {r.control_first, r.control_second});
    candidate.insert(candidate.end(), {r.candidate_first, r.candidate_second});
  }
  return {timing::median(control), timing::median(candidate)};
}

void fill_in(const timing::Measurement& m, double ceiling, const Options& options, Comparison& comparison) {
  reports::TimingRecord& r = comparison.record;
  r.samples = 4 * m.rounds.size();
  r.dropped = m.dropped;
  r.verdict = to_string(m.verdict);
  r.ceiling = ceiling;
  comparison.steady = false;
  if (!m.ratio) return;
  const auto [control, candidate] = medians(m.rounds);
  r.candidate_median = candidate;
  r.control_median = control;
  r.ratio = m.ratio->ratio;
  r.ratio_low = m.ratio->low;
  r.ratio_high = m.ratio->high;
  r.aa_ratio = m.aa->ratio;
  r.bandwidth_fraction = timing::bandwidth_fraction(r.bytes, candidate, ceiling).value;
  // A control that were equal to the candidate must be judged so: else the method itself is off.
  comparison.steady =
      timing::judge({1, 1, 1}, *m.aa, options.protocol.equal_within) == timing::Verdict::equal_within;
}

}  // namespace

std::uint32_t tensors_for(std::uint64_t weight_bytes, const Options& options,
                          const device::DeviceInfo& info) {
  if (options.tensors != 0) return options.tensors;
  if (info.l2_bytes == 0)
    throw device::Unavailable(info.name + " does not tell the size of its L2: use --hot or --working-set N");
  return timing::cold_tensors(weight_bytes, info.l2_bytes);
}

std::optional<Comparison> time_sides(device::Device& device, const Sides& sides, std::uint32_t tensors,
                                     const Options& options, timing::ClockSource& clock,
                                     const Ceiling& ceiling, reports::CaseRecord& record) {
  Side *const candidate = &sides.candidate, *const control = &sides.control;
  run::add_kernels(control->kernels(), record.kernels);
  const bool right = keep(candidate->verify(tensors), record);
  if (!keep(control->verify(tensors), record) || !right) return std::nullopt;

  const timing::SamplePlan plan = timing::sample_plan(sides.m, tensors);
  const Temperature temperature = temperature_of(sides.weight_bytes, tensors, device.info().l2_bytes);
  candidate->poison();
  control->poison();
  timing::GraphSubject a(control->name(), control->capture(plan), plan);
  timing::GraphSubject b(candidate->name(), candidate->capture(plan), plan);
  const timing::Measurement measurement = timing::measure(a, b, clock, options.protocol);
  const bool still_right = keep(candidate->check("after timing"), record);
  if (!keep(control->check("after timing"), record) || !still_right) return std::nullopt;

  Comparison comparison;
  comparison.record.candidate = candidate->name();
  comparison.record.control_route = control->route();
  comparison.record.unit = "seconds";
  comparison.record.sampling = sampling_text(temperature, plan);
  if (measurement.power_capped) comparison.record.sampling += ", at the power cap";
  comparison.record.bytes = sides.contract_bytes;
  comparison.samples = measurement.samples;
  comparison.rounds = measurement.rounds;
  fill_in(measurement, ceiling(temperature), options, comparison);
  return comparison;
}

std::optional<Comparison> time_case(device::Device& device, const BenchCase& c, const Options& options,
                                    timing::ClockSource& clock, const Ceiling& ceiling,
                                    reports::CaseRecord& record) {
  const std::uint32_t tensors = tensors_for(c.weight_bytes(), options, device.info());
  Setup setup(device, c, options, tensors);
  const auto candidate = setup.candidate(), control = setup.control();
  return time_sides(device, {*candidate, *control, c.problem.m, c.weight_bytes(), c.contract_bytes()},
                    tensors, options, clock, ceiling, record);
}

}  // namespace quadpair::bench
