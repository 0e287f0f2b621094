// The committed JSON Schemas, applied.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace quadpair::reports {

/// What is wrong with a report, or another file, by its schema; empty when nothing is.
std::string violations(const nlohmann::json& report, const std::string& name = "report.schema.json");

}  // namespace quadpair::reports
