// An explanation as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/cli/style.hpp"
#include "harness/run/explain/explanation.hpp"

namespace quadpair::cli {

/// For a person. Unless `all`, steps are shown where device and reference part, else the first few.
std::string explanation_text(const run::Explanation& explanation, bool all, const Style& style);

/// As reports/explanation.schema.json has it.
nlohmann::ordered_json explanation_json(const run::Explanation& explanation, std::uint64_t seed);

}  // namespace quadpair::cli
