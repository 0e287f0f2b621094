// A case as JSON, for another process of this program.
#pragma once

#include <nlohmann/json.hpp>

#include "cases/suite.hpp"

namespace quadpair::cases {

nlohmann::json to_json(const Case& c);

/// Throws DataError for what to_json does not write.
Case case_from_json(const nlohmann::json& json);

}  // namespace quadpair::cases
