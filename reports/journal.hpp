// A finished case as a line of the journal.
#pragma once

#include <string_view>

#include "reports/json.hpp"

namespace quadpair::reports {

/// The case's JSON with its kernels added to it ("kernels"), which a report lists for the whole run.
Json to_journal(const CaseRecord& record);

/// Throws ReadError as case_from_json does.
CaseRecord case_from_journal(const Json& json);

/// One line, newline included. Text that came from outside (an error message) need not be UTF-8.
std::string journal_line(const CaseRecord& record);

/// The cases of a journal's whole lines. Throws ReadError that names the line.
std::vector<CaseRecord> read_journal(std::string_view text);

}  // namespace quadpair::reports
