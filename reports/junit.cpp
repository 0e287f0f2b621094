#include "reports/junit.hpp"

#include <fmt/format.h>

#include "reports/text.hpp"

namespace quadpair::reports {
namespace {

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

std::string property(std::string_view name, const std::string& value) {
  return fmt::format("<property name=\"{}\" value=\"{}\"/>", name, escaped(value));
}

std::string suite(const Collection& collection, std::size_t index) {
  const auto& [file, report] = collection.runs[index];
  const Summary summary = summarize(report.cases);
  double seconds = 0;
  std::string cases;
  for (const CaseRecord& record : report.cases) {
    const double time = record.seconds.device + record.seconds.reference;
    seconds += time;
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">{}</testcase>\n",
                         escaped(record.operation), escaped(record.id), time, outcome(record));
  }
  const std::string label = run_label(collection, index);
  // A time without its zone, UTC, and a host that is not told: so the schemas want them.
  return fmt::format(
      " <testsuite name=\"quadpair{}\" package=\"quadpair\" id=\"{}\" tests=\"{}\" failures=\"{}\" "
      "errors=\"0\" skipped=\"{}\" time=\"{:.3f}\" timestamp=\"{}\" hostname=\"localhost\">\n"
      "  <properties>{}{}{}</properties>\n{}"
      "  <system-out/>\n  <system-err/>\n </testsuite>\n",
      label.empty() ? "" : " " + label, index, summary.total(),
      summary.failed + summary.refused + summary.mistrusted, summary.skipped, seconds,
      escaped(report.run.started.substr(0, report.run.started.find('Z'))), property("run", report.run.id),
      property("device", report.run.device.name), property("command", report.run.command), cases);
}

}  // namespace

std::string to_junit(const Collection& collection) {
  std::string suites;
  for (std::size_t i = 0; i < collection.runs.size(); ++i) suites += suite(collection, i);
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{}</testsuites>\n", suites);
}

}  // namespace quadpair::reports
