#include "reports/report_file.hpp"

#include "reports/atomic_file.hpp"
#include "reports/json.hpp"

namespace quadpair::reports {
namespace {

std::filesystem::path checked(std::filesystem::path file) {
  require_writable(file);
  return file;
}

/// Text that came from outside (an error message) need not be UTF-8; it must not cost the report.
std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

ReportFile::ReportFile(std::filesystem::path file)
    : file_(checked(std::move(file))), journal_(file_.string() + ".journal") {}

void ReportFile::journal(const CaseRecord& record) {
  journal_.write_and_sync(text_of(to_json(record), -1));
}

void ReportFile::snapshot(const Report& report) const {
  write_atomically(file_, text_of(to_json(report), 1));
}

}  // namespace quadpair::reports
