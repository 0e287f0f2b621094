// Ratios over the projections of a model.
#pragma once

#include <vector>

#include "cases/suite.hpp"
#include "harness/bench/result.hpp"
#include "harness/timing/statistics.hpp"

namespace quadpair::bench {

struct Weighed {
  const cases::Case& c;
  const Comparison& comparison;
};

/// For each number of rows, target and model of which all six projections were measured, once each: the ratio
/// of the time (or the count) that the model spends in them. gate and up count once, as one fused matrix:
/// by the plain operator in "projections/...", by the gated one in "projections-gated/...".
std::vector<reports::WeightedRecord> weighted(const std::vector<Weighed>& measured,
                                              const timing::Bootstrap& bootstrap);

}  // namespace quadpair::bench
