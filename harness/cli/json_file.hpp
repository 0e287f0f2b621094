// A JSON file that a command was told to write.
#pragma once

#include <string>

#include "reports/json.hpp"

namespace quadpair::cli {

/// Nothing for an empty name. Throws Error(usage) for a file that cannot be written.
void write_json(const std::string& file, const reports::Json& json);

}  // namespace quadpair::cli
