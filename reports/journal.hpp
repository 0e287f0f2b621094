// A finished case as a line of the journal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/json.hpp"

namespace quadpair::reports {

/// The case's JSON with its kernels added to it ("kernels"), which a report lists for the whole run.
Json to_journal(const CaseRecord& record);

/// Throws ReadError as case_from_json does.
CaseRecord case_from_journal(const Json& json);

/// A case and the run that it belongs to.
struct JournalEntry {
  std::string run;  ///< the run's id
  CaseRecord record;
};

/// One line, newline included. Text that came from outside (an error message) need not be UTF-8.
std::string journal_line(const std::string& run, const CaseRecord& record);

/// What a journal's whole lines hold. Throws ReadError that names the line.
std::vector<JournalEntry> read_journal(std::string_view text);

}  // namespace quadpair::reports
