#include "harness/compare/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadpair::compare {

namespace {

using reports::Check;
using reports::Status;

}  // namespace

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

}  // namespace quadpair::compare
