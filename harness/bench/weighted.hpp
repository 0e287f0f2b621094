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

/// For each number of rows, rank, target, model and layout of which all six projections were measured with an
/// operator, once each: the ratio of the time (or the count) that the model spends in them. Names are
/// "projections@r0/sm90/hopper/compact/shared": operator, rank of a sharded model, target, model, layout
/// other than dual, control. gate and up count once, as one fused matrix: by the plain operator in
/// "projections", by the gated one in "projections-gated"; likewise "dispatch" and "dispatch-gated";
/// "tm_gemm" and "dense_prefill" are plain.
std::vector<reports::WeightedRecord> weighted(const std::vector<Weighed>& measured,
                                              const timing::Bootstrap& bootstrap);

}  // namespace quadpair::bench
