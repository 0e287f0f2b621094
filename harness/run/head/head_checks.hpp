// An LM head's results against what reference and oracle say of them.
#pragma once

#include <vector>

#include "cases/suite.hpp"
#include "harness/compare/trust.hpp"
#include "harness/run/head/head_on_device.hpp"
#include "harness/run/head/head_reference.hpp"

namespace quadpair::run {

/// Of each output: every array bit for bit, logits within their FP64 bounds, reranked values against the
/// device's own dense logits; then the last eager run against the replay before it. `expected` is by round.
std::vector<reports::Check> checks_of(const HeadProblem& problem, const cases::HeadMatrix& head,
                                      const std::vector<HeadExpected>& expected, const HeadActual& actual);

/// Each array of each output with itself.
std::vector<reports::Check> outputs_alone(const HeadProblem& problem, const HeadActual& actual);

/// Whether the case's data could have shown a fault. `rounds` hold FP16 [m, ldx]; the evidence refers to
/// `expected`.
compare::Evidence evidence_of(const cases::Case& c, const HeadProblem& problem, const PreparedHead& head,
                              const std::vector<std::vector<std::uint16_t>>& rounds,
                              const std::vector<HeadExpected>& expected);

}  // namespace quadpair::run
