// One case from its description to its record, isolated from all others.
#pragma once

#include "cases/suite.hpp"
#include "harness/run/options.hpp"
#include "harness/run/resources.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// What is known of a case before it runs, its status "skipped" where why_skipped says so.
reports::CaseRecord begin_record(const cases::Case& c, const Options& options);

/// Runs the case on a device that no other case uses meanwhile, with `threads` threads on either side. Throws
/// nothing that a case can cause: refusals, faults, endless loops and errors become the record's status and
/// reason.
reports::CaseRecord run_case(const cases::Case& c, const Options& options, Resources& resources,
                             unsigned threads);

}  // namespace quadpair::run
