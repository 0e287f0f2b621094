// A case that did not pass, for a reader.
#pragma once

#include <string>

#include "harness/cli/style.hpp"
#include "reports/record.hpp"

namespace quadpair::cli {

/// Id, what went wrong (checks with index, bits and values, or the reason) and the command that repeats it.
std::string failure_text(const reports::CaseRecord& record, const Style& style);

}  // namespace quadpair::cli
