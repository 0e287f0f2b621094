#include "reports/junit.hpp"

#include <fmt/format.h>

#include <string_view>

namespace quadpair::reports {
namespace {

/// Escapes markup, and drops the control characters that XML 1.0 does not admit.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

std::string outcome(const CaseRecord& record) {
  const std::string reason = escaped(record.reason);
  switch (record.status) {
    case Status::passed: return "";
    case Status::skipped: return fmt::format("<skipped message=\"{}\"/>", reason);
    case Status::failed:
    case Status::refused:
    case Status::mistrusted: break;
  }
  std::string details;
  for (const Check& check : record.checks)
    if (!check.passed()) details += describe(check) + "\n";
  return fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", to_string(record.status), reason,
                     escaped(details + record.notes + record.repro));
}

}  // namespace

std::string to_junit(const Report& report) {
  const Summary summary = summarize(report.cases);
  double seconds = 0;
  std::string cases;
  for (const CaseRecord& record : report.cases) {
    const double time = record.seconds.device + record.seconds.reference;
    seconds += time;
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">{}</testcase>\n",
                         escaped(record.operation), escaped(record.id), time, outcome(record));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"quadpair\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.6f}\" "
      "timestamp=\"{}\">\n{}</testsuite>\n",
      summary.total(), summary.failed + summary.refused + summary.mistrusted, summary.skipped, seconds,
      escaped(report.run.started), cases);
}

}  // namespace quadpair::reports
