#include "harness/bench/count.hpp"

#include <numeric>

#include "harness/run/launches.hpp"

namespace quadpair::bench {
namespace {

std::uint64_t warp_instructions(const device::Cost& cost) {
  const auto add = [](std::uint64_t sum, const auto& entry) { return sum + entry.second; };
  return std::accumulate(
      cost.mma.begin(), cost.mma.end(),
      std::accumulate(cost.warp_instructions.begin(), cost.warp_instructions.end(), std::uint64_t{0}, add),
      add);
}

std::uint64_t count(Side& side, device::Device& device, reports::CaseRecord& record) {
  device.take_cost();
  const std::vector<reports::Check> checks = side.verify(1);
  record.checks.insert(record.checks.end(), checks.begin(), checks.end());
  return warp_instructions(device.take_cost().value());
}

}  // namespace

Comparison count_sides(device::Device& device, device::Device& control_device, const Sides& sides,
                       const Options& options, reports::CaseRecord& record) {
  Side *const candidate = &sides.candidate, *const control = &sides.control;
  const Counted counted{count(*candidate, device, record), count(*control, control_device, record)};
  run::add_kernels(control->kernels(), record.kernels);

  const double ratio = static_cast<double>(counted.candidate) / static_cast<double>(counted.control);
  const timing::Interval exact{ratio, ratio, ratio}, itself{1, 1, 1};
  Comparison comparison;
  reports::TimingRecord& r = comparison.record;
  r.candidate = candidate->name();
  r.control_route = control->route();
  r.unit = "warp instructions";
  r.sampling = "counted on the emulator, no time";
  r.candidate_median = static_cast<double>(counted.candidate);
  r.control_median = static_cast<double>(counted.control);
  r.ratio = r.ratio_low = r.ratio_high = ratio;
  r.aa_ratio = 1;
  r.samples = 1;
  r.bytes = sides.contract_bytes;
  r.verdict = timing::to_string(timing::judge(exact, itself, options.protocol.equal_within));
  comparison.counted = counted;
  return comparison;
}

Comparison count_case(device::Device& device, device::Device& control_device, const BenchCase& c,
                      const Options& options, reports::CaseRecord& record) {
  Setup setup(device, c, options, 1), control_setup(control_device, c, options, 1);
  const auto candidate = setup.candidate(), control = control_setup.control();
  return count_sides(device, control_device,
                     {*candidate, *control, c.problem.m, c.weight_bytes(), c.contract_bytes()}, options,
                     record);
}

}  // namespace quadpair::bench
