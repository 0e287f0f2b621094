#include "reports/compare/comparison.hpp"

#include <algorithm>
#include <stdexcept>

namespace quadpair::reports {

std::string_view to_string(Bits bits) {
  switch (bits) {
    case Bits::same: return "same";
    case Bits::alarm: return "alarm";
    case Bits::other_code: return "other-code";
    case Bits::none: return "none";
  }
  throw std::invalid_argument("no such bits");
}

std::string_view to_string(Speed speed) {
  switch (speed) {
    case Speed::same: return "same";
    case Speed::faster: return "faster";
    case Speed::slower: return "slower";
    case Speed::ambiguous: return "ambiguous";
  }
  throw std::invalid_argument("no such speed");
}

bool CaseChange::wrong() const {
  return bits == Bits::alarm || status == Status::failed ||
         (status == Status::refused && base_status != Status::refused);
}

bool CaseChange::slower() const {
  return std::ranges::find(times, Speed::slower, &TimeChange::speed) != times.end();
}

bool CaseChange::ambiguous() const {
  return std::ranges::find(times, Speed::ambiguous, &TimeChange::speed) != times.end() ||
         (status == Status::mistrusted && base_status != Status::mistrusted);
}

bool CaseChange::costlier() const {
  return std::ranges::any_of(costs, &Amount::grew);
}

std::size_t Comparison::compared() const {
  return static_cast<std::size_t>(std::ranges::count_if(cases, [](const CaseChange& c) {
    return c.base_status != Status::skipped && c.status != Status::skipped;
  }));
}

Outcome outcome_of(const Comparison& comparison) {
  const auto any = [&](bool (CaseChange::*is)() const) {
    return std::ranges::any_of(comparison.cases, [&](const CaseChange& c) { return (c.*is)(); });
  };
  if (any(&CaseChange::wrong)) return Outcome::wrong;
  if (comparison.compared() == 0) return Outcome::nothing;
  if (any(&CaseChange::slower) || any(&CaseChange::costlier) ||
      std::ranges::any_of(comparison.ledger, &Amount::grew))
    return Outcome::costlier;
  return any(&CaseChange::ambiguous) ? Outcome::undecided : Outcome::good;
}

}  // namespace quadpair::reports
