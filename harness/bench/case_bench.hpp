// Cases one after another: each verified, then timed or counted.
#pragma once

#include <map>
#include <memory>

#include "harness/bench/ceiling.hpp"
#include "harness/bench/options.hpp"
#include "harness/bench/result.hpp"
#include "harness/run/resources.hpp"

namespace quadpair::bench {

class Bench {
 public:
  /// `options` and `clock` outlive it.
  Bench(const Options& options, timing::ClockSource& clock);

  /// Verifies the case as run::run_case does and, when it passed, holds its kernel against the control. A
  /// case that the control does not serve is skipped with the reason. Throws device::Unavailable where the
  /// device lacks what no case can do without.
  Result run(const cases::Case& c);

 private:
  std::optional<Comparison> compare(const cases::Case& c, reports::CaseRecord& record);
  std::optional<Comparison> compare_head(const cases::Case& c, reports::CaseRecord& record);
  /// Nothing, and a failed record, where a check failed.
  std::optional<Comparison> judged(const cases::Case& c, std::optional<Comparison> comparison,
                                   const std::string& control, reports::CaseRecord& record) const;
  double ceiling(device::Device& device, Target target, Temperature temperature);

  const Options& options_;
  timing::ClockSource& clock_;
  unsigned threads_;
  run::Resources resources_;
  std::map<Temperature, double> ceilings_;
};

}  // namespace quadpair::bench
