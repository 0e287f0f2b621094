#include "reports/report_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "reports/atomic_file.hpp"
#include "reports/journal.hpp"
#include "reports/json_read.hpp"

namespace quadpair::reports {
namespace {

std::filesystem::path checked(std::filesystem::path file) {
  require_writable(file);
  return file;
}

std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// What `read` makes of the file's text. Throws ReadError that names the file.
template <class Read>
auto named(const std::filesystem::path& file, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const std::exception& e) {  // the parser's, or a ReadError
    throw ReadError(fmt::format("{}: {}", file.string(), e.what()));
  }
}

bool before(const CaseRecord& a, const CaseRecord& b) {
  return a.index < b.index;
}

}  // namespace

Report read_report(const std::filesystem::path& file) {
  if (!exists(file)) throw ReadError(file.string() + ": no such file");
  if (is_directory(file)) throw ReadError(file.string() + ": a folder, not a report");
  return named(file, text_of(file),
               [](const std::string& text) { return report_from_json(Json::parse(text)); });
}

void write_report(const std::filesystem::path& file, const Report& report) {
  // Text that came from outside (an error message) need not be UTF-8; it must not cost the report.
  write_atomically(file, to_json(report).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

ReportFile::ReportFile(std::filesystem::path file, Contents contents)
    : file_(checked(std::move(file))),
      journal_file_(file_.string() + ".journal"),
      journal_(journal_file_, contents) {
  remove_leftovers(file_);
}

std::optional<Report> ReportFile::resume() {
  if (!exists(file_)) {
    if (file_size(journal_file_) != 0)
      throw ReadError(fmt::format("{} is there, but not {}: it is of another run", journal_file_.string(),
                                  file_.string()));
    return std::nullopt;
  }
  Report report = read_report(file_);
  const std::string text = text_of(journal_file_);
  std::vector<JournalEntry> journaled = named(journal_file_, text, read_journal);
  for (const JournalEntry& entry : journaled)
    if (entry.run != report.run.id)
      throw ReadError(fmt::format("{}: case {} is of run {}, and {} of run {}", journal_file_.string(),
                                  entry.record.id, entry.run, file_.string(), report.run.id));
  journal_.cut(text.rfind('\n') + 1);  // 0 where there is no line
  for (auto& [run, record] : journaled) {
    const auto same = std::ranges::find(report.cases, record.id, &CaseRecord::id);
    (same == report.cases.end() ? report.cases.emplace_back() : *same) = std::move(record);
  }
  std::ranges::stable_sort(report.cases, before);
  return report;
}

void ReportFile::journal(const CaseRecord& record) {
  journal_.write_and_sync(journal_line(run_, record));
}

void ReportFile::snapshot(const Report& report) {
  write_report(file_, report);
  run_ = report.run.id;
}

}  // namespace quadpair::reports
