// Reports in JSON files, and that of a run as it grows.
#pragma once

#include <filesystem>
#include <optional>

#include "reports/descriptor.hpp"
#include "reports/record.hpp"

namespace quadpair::reports {

/// A report from its file. Throws ReadError that names the file.
Report read_report(const std::filesystem::path& file);

/// Replaces the file by the report. Throws std::system_error; the file is then as it was.
void write_report(const std::filesystem::path& file, const Report& report);

/// Writes FILE and its journal. Each member throws std::system_error when the disk does not take it.
class ReportFile {
 public:
  /// Begins with an empty journal FILE.journal, or with that of a former run where contents are kept. Throws
  /// before it touches anything when FILE cannot be written or another process is writing it.
  explicit ReportFile(std::filesystem::path file, Contents contents = Contents::emptied);

  /// What a former run left in FILE and in the journal, cases in the suite's order; nothing where there is no
  /// FILE. What was cut short at the journal's end is removed from it. Throws ReadError that names the file,
  /// also when the journal is of another run than FILE.
  std::optional<Report> resume();

  /// Adds a finished case of the run whose snapshot was the last to the journal, one line, on the disk when
  /// it returns.
  void journal(const CaseRecord& record);

  /// Replaces FILE by the whole report.
  void snapshot(const Report& report);

 private:
  std::filesystem::path file_, journal_file_;
  std::string run_;  ///< the id that FILE has
  Descriptor journal_;
};

}  // namespace quadpair::reports
