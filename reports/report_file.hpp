// A report on disk while the run goes on: a journal of finished cases, and snapshots of the whole.
#pragma once

#include <filesystem>

#include "reports/descriptor.hpp"
#include "reports/record.hpp"

namespace quadpair::reports {

class ReportFile {
 public:
  /// Opens `file`.journal anew. Throws std::system_error when either file could not be written, or another
  /// run is writing it, so that a run need not start in vain.
  explicit ReportFile(std::filesystem::path file);

  const std::filesystem::path& path() const { return file_; }

  /// Adds one JSON line to the journal and syncs it.
  void journal(const CaseRecord& record);

  /// Writes the whole report beside the file and renames it.
  void snapshot(const Report& report) const;

 private:
  std::filesystem::path file_;
  Descriptor journal_;
};

}  // namespace quadpair::reports
