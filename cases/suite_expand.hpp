// A suite's compact description, expanded to cases.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cases/suite.hpp"

namespace quadpair::cases {

/// Expands a document that the schema accepts, in the order group, operator, slice (rank by rank), plan, M,
/// layout, target, model, so that cases of one slice follow each other. A group's fills are taken in turn,
/// one for each (operator, slice, plan, M): all layouts, targets and models of those see the same inputs.
/// Throws DataError naming file and JSON path for an unknown slice, a gated case of a matrix that is not
/// fused, `real` where a slice has no activations, `tuned` where no plan is admissible, and two cases with
/// one id.
Suite expand_suite(const nlohmann::json& document, const std::string& file);

/// All targets, each with the models that judge it.
const nlohmann::json& all_targets();

/// operator/slice/mM/layout/plan/target/model/fill, without the parts that the operator does not have, and
/// without a plan that is the default.
std::string case_id(const Case& c);

}  // namespace quadpair::cases
