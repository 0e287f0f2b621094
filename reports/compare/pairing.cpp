#include "reports/compare/pairing.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace quadpair::reports {
namespace {

using ById = std::map<std::string, const CaseRecord*>;

/// operator/slice/mM/layout/plan/target/model/fill without the plan, which may be missing, target and model.
std::string portable_id(const CaseRecord& record) {
  std::vector<std::string> parts(1);
  for (const char c : record.id) {
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  const auto target = std::ranges::find(parts, record.target);
  if (target == parts.end() || target == parts.begin() || target + 1 == parts.end()) return record.id;
  auto first = target;
  if (*(target - 1) != record.layout) --first;
  parts.erase(first, target + 2);
  std::string id;
  for (const std::string& part : parts) id.append(id.empty() ? "" : "/").append(part);
  return id;
}

/// Cases without a partner by their portable id, where only one has it.
ById left_over(const Report& report, const std::set<const CaseRecord*>& paired) {
  ById cases;
  std::set<std::string> twice;
  for (const CaseRecord& record : report.cases) {
    if (paired.contains(&record)) continue;
    const std::string id = portable_id(record);
    if (!cases.emplace(id, &record).second) twice.insert(id);
  }
  for (const std::string& id : twice) cases.erase(id);
  return cases;
}

void pair_by(const ById& base, const ById& now, std::map<const CaseRecord*, const CaseRecord*>& partners,
             std::set<const CaseRecord*>& paired) {
  for (const auto& [id, record] : now)
    if (const auto found = base.find(id); found != base.end()) {
      partners[record] = found->second;
      paired.insert({record, found->second});
    }
}

ById by_id(const Report& report) {
  ById cases;
  for (const CaseRecord& record : report.cases) cases.emplace(record.id, &record);
  return cases;
}

}  // namespace

Pairing pair_cases(const Report& base, const Report& now, bool across) {
  std::map<const CaseRecord*, const CaseRecord*> partners;
  std::set<const CaseRecord*> paired;
  pair_by(by_id(base), by_id(now), partners, paired);
  if (across) pair_by(left_over(base, paired), left_over(now, paired), partners, paired);
  Pairing pairing;
  for (const CaseRecord& record : now.cases) {
    if (const auto found = partners.find(&record); found != partners.end())
      pairing.pairs.emplace_back(found->second, &record);
    else
      pairing.added.push_back(record.id);
  }
  for (const CaseRecord& record : base.cases)
    if (!paired.contains(&record)) pairing.gone.push_back(record.id);
  return pairing;
}

}  // namespace quadpair::reports
