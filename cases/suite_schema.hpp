// Suite files checked against the committed JSON Schema.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace quadpair::cases {

/// The suite's text as JSON that the schema (cases/suites/suite.schema.json) accepts. Throws DataError naming
/// file and JSON path; a key that the schema does not know is refused.
nlohmann::json parse_suite(std::string_view text, const std::string& file);

}  // namespace quadpair::cases
