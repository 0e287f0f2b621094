#include "harness/cli/failure.hpp"

namespace quadpair::cli {

std::string failure_text(const reports::CaseRecord& record, const Style& style) {
  using enum reports::Status;
  const Tint tint = record.status == failed || record.status == refused ? Tint::red : Tint::yellow;
  std::string text =
      style(tint, reports::to_string(record.status)) + " " + style(Tint::bold, record.id) + "\n";
  bool any = false;
  for (const reports::Check& check : record.checks) {
    if (check.passed()) continue;
    any = true;
    text += "  " + reports::describe(check) + "\n";
  }
  if (!any || !record.notes.empty()) text += "  " + (any ? record.notes : record.reason) + "\n";
  return text + "  repeat: " + record.repro + "\n";
}

}  // namespace quadpair::cli
