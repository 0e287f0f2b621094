// What every operator that ends in a product with the weights has in common.
#pragma once

#include "harness/run/problem.hpp"

namespace quadpair::run {

/// y = x . W^T in the plan's order with weights decoded by the rule; through silu(gate) . up where the
/// problem is gated. Sets the operator's plan, rule and reference, and the shape of the output. Throws
/// cases::DataError where the problem's model does not define the plan's instruction.
void set_product(const cases::Case& c, Problem& problem, const AccumulationPlan& plan, DecodeRule rule);

/// One chain over all of k. A sum cut into parts, in whatever way, has no longer chain of roundings, so the
/// error bound of this plan holds for every order that a library may choose.
AccumulationPlan one_chain(std::uint32_t k, MmaShape mma);

/// Rows of a round that the oracle judges: all of 64, else 64 that spread from the first to the last.
std::vector<std::uint32_t> oracle_rows(std::uint32_t m);

}  // namespace quadpair::run
