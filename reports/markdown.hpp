// A report as Markdown for a pull request.
#pragma once

#include <cstddef>
#include <string>

#include "reports/collection.hpp"

namespace quadpair::reports {

/// What GitHub takes as a comment: fewer characters than this. Bytes are counted here, which are no fewer.
inline constexpr std::size_t markdown_limit = 65'536;

/// Summary line, what did not pass, ratios (weighted ones first), the correctness matrix (folded), the
/// ledger's difference, the environment. Always shorter than markdown_limit: each part has a share of it, and
/// says how many rows it left out.
std::string to_markdown(const Collection& collection);

}  // namespace quadpair::reports
