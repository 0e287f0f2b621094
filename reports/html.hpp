// A report as one HTML file that needs nothing else.
#pragma once

#include <string>

#include "reports/collection.hpp"

namespace quadpair::reports {

/// Everything as tables, and charts of it by an inlined Chart.js. Its size is bounded: of very many cases,
/// comparisons and samples the page shows the first, worst cases before others, and says how many it left
/// out.
std::string to_html(const Collection& collection);

}  // namespace quadpair::reports
