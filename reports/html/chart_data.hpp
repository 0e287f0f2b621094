// What the page's script draws.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/collection.hpp"

namespace quadpair::reports::html {

/// {"weighted", "comparisons", "noise", "samples", "roofline", "cost", "storage"}: see charts.js. Of very
/// many comparisons and samples the first.
nlohmann::ordered_json chart_data(const Collection& collection);

/// JSON as the content of a script element: no "<", so nothing in it can end the element.
std::string script_text(const nlohmann::ordered_json& json);

}  // namespace quadpair::reports::html
