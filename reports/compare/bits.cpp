#include "reports/compare/bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace quadpair::reports {
namespace {

/// Outputs of a benchmark's sides: of as many tensors as rotate, and the control's.
bool of_timing(const Check& check) {
  return check.name.ends_with(" before timing") || check.name.ends_with(" after timing");
}

/// Checks by name and by how many of that name came before.
std::map<std::pair<std::string, std::size_t>, const Check*> by_name(const CaseRecord& record) {
  std::map<std::string, std::size_t> seen;
  std::map<std::pair<std::string, std::size_t>, const Check*> checks;
  for (const Check& check : record.checks)
    if (!of_timing(check)) checks[{check.name, seen[check.name]++}] = &check;
  return checks;
}

/// The code that the route names is known, and the same.
bool same_code(const CaseRecord& base, const CaseRecord& now) {
  return base.route == now.route && route_kernels(base) == route_kernels(now);
}

bool known_code(const CaseRecord& record) {
  std::size_t named = record.route.empty() ? 0 : 1;
  for (std::size_t at = record.route.find(" + "); at != std::string::npos;
       at = record.route.find(" + ", at + 1))
    ++named;
  return named > 0 && route_kernels(record).size() == named;
}

}  // namespace

void compare_bits(const CaseRecord& base, const CaseRecord& now, CaseChange& change) {
  change.base_kernels = route_kernels(base);
  change.kernels = route_kernels(now);
  const auto before = by_name(base);
  std::size_t common = 0;
  bool exact = false;  // one of those that differ must have equal bits
  for (const auto& [key, check] : by_name(now)) {
    const auto found = before.find(key);
    if (found == before.end() || found->second->elements != check->elements) continue;
    ++common;
    if (found->second->actual_hash == check->actual_hash) continue;
    change.differing.push_back(check->name);
    exact = exact || check->kind == Kind::bitwise;
  }
  const bool code_known = known_code(base) && known_code(now);
  if (common == 0)
    change.bits = Bits::none;
  else if (change.differing.empty())
    change.bits = Bits::same;
  else
    change.bits = exact && (!code_known || same_code(base, now)) ? Bits::alarm : Bits::other_code;
}

}  // namespace quadpair::reports
