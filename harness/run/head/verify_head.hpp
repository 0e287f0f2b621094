// A case of an LM head: device against reference, and what screening lost.
#pragma once

#include "cases/suite.hpp"
#include "harness/run/head/head_launches.hpp"
#include "harness/run/options.hpp"
#include "harness/run/resources.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// `slices` knows the case's head. Throws cases::DataError for a name that is not known.
HeadProblem make_head_problem(const cases::Case& c, const cases::SliceSource& slices);

/// As verify_matrix(), for lm_head: codes, scales, screening logits, candidates, results and dense logits,
/// each bit for bit, logits within their FP64 bounds, and the reranked values against the device's own dense
/// logits; and for lm_head_top1: the packed head, logits, first maxima and their ids. Fills in the whole
/// record. Throws what kernels, cases and device throw.
void verify_head(const cases::Case& c, const Options& options, Resources& resources, unsigned threads,
                 reports::CaseRecord& record);

}  // namespace quadpair::run
