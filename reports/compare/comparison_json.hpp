// A comparison as JSON: reports/comparison.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reports/compare/comparison.hpp"

namespace quadpair::reports {

/// Texts name the two files as the user did. `exit` is the status that the comparison ends with.
nlohmann::ordered_json to_json(const Comparison& comparison, const std::string& base_file,
                               const std::string& new_file, int exit);

}  // namespace quadpair::reports
