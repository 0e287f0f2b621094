// What changed from one report to another, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record.hpp"

namespace quadpair::reports {

/// A case's outputs in two runs.
enum class Bits {
  same,
  alarm,       ///< others by the same code (or by code that is not known)
  other_code,  ///< others by other code, or within the bound on a library's sums
  none         ///< no outputs that both runs have
};
std::string_view to_string(Bits bits);

/// A candidate's time, as far as a control tells.
enum class Speed { same, faster, slower, ambiguous };
std::string_view to_string(Speed speed);

struct TimeChange {
  std::string control;
  Speed speed = Speed::ambiguous;
  std::optional<double> ratio{}, low{},
      high{};              ///< new over base, each over its control; absent: not comparable
  std::string evidence{};  ///< "samples", or "intervals" that the reports hold; empty without a ratio
  std::string reason{};    ///< why there is no ratio, or no more than intervals; else empty
};

/// A number that is not the same in both runs.
struct Amount {
  std::string name;
  std::uint64_t base = 0, now = 0;
  bool grew() const { return now > base; }
  friend bool operator==(const Amount&, const Amount&) = default;
};

/// A case that both runs have.
struct CaseChange {
  std::string id, base_id;  ///< equal unless paired across targets or models
  Status base_status = Status::skipped, status = Status::skipped;
  Bits bits = Bits::none;
  std::vector<std::string> differing{};                 ///< names of the checks whose values are others
  std::vector<KernelRecord> base_kernels{}, kernels{};  ///< those its route names
  std::vector<TimeChange> times{};                      ///< one a control
  std::vector<Amount> costs{};                          ///< counted, those that changed

  /// Failed now, or refused what it had not refused.
  bool wrong() const;
  bool slower() const;
  bool ambiguous() const;  ///< in time, or newly mistrusted
  bool costlier() const;
};

struct Comparison {
  RunRecord base, now;
  std::vector<std::string> across{};  ///< in what the runs are not alike: "seed 1, now 2"
  std::vector<std::string> notes{};   ///< what could not be known, e.g. of an older file
  std::vector<CaseChange> cases{};    ///< in the new run's order
  std::vector<std::string> added{}, gone{};
  std::vector<Amount> ledger{};  ///< bytes over all ranks that changed, "shared qpn2_codes"

  /// Pairs of cases that ran in both.
  std::size_t compared() const;
};

/// How a comparison ends, the worst first.
enum class Outcome { wrong, nothing, costlier, undecided, good };
Outcome outcome_of(const Comparison& comparison);

}  // namespace quadpair::reports
