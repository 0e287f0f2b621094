#include "harness/compare/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadpair::compare {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::passed: return "passed";
    case Status::failed: return "failed";
    case Status::skipped: return "skipped";
    case Status::refused: return "refused";
    case Status::mistrusted: return "mistrusted";
  }
  return "unknown";
}

Verdict judge(std::span<const Check> checks, const std::optional<std::string>& why_mistrusted) {
  std::string failed;
  for (const Check& check : checks)
    if (!check.passed())
      failed += fmt::format("{}{}: {} of {} differ", failed.empty() ? "" : "; ", check.name, check.mismatches,
                            check.elements);
  if (!failed.empty()) return {Status::failed, failed};
  if (why_mistrusted) return {Status::mistrusted, *why_mistrusted};
  if (std::ranges::all_of(checks, [](const Check& check) { return check.elements == 0; }))
    return {Status::mistrusted, "nothing was compared"};
  return {Status::passed, ""};
}

std::string describe(const Check& check) {
  std::string text = fmt::format("{}: {} of {} differ", check.name, check.mismatches, check.elements);
  if (!check.first) return text;
  const Mismatch& first = *check.first;
  text += check.columns > 0
              ? fmt::format(", first at [{}, {}]", first.index / check.columns, first.index % check.columns)
              : fmt::format(", first at {}", first.index);
  text += fmt::format(": expected {} ({:.9g}), got {} ({:.9g})", first.expected, first.expected_value,
                      first.actual, first.actual_value);
  if (first.bound) text += fmt::format(", allowed error {:.3g}", *first.bound);
  return text;
}

}  // namespace quadpair::compare
