// Several inputs of one report for readers, and what is to be said of them together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/record.hpp"
#include "reports/samples.hpp"

namespace quadpair::reports {

/// A value and the file that it came from.
template <class Value>
struct From {
  std::string file;
  Value value;
};

struct Collection {
  std::vector<From<Report>> runs;
  std::vector<From<RunSamples>> samples;  ///< each of one of the runs
  std::vector<From<Ledger>> ledgers;      ///< beside those in the runs' reports

  Summary summary() const;
};

/// "run 2" in words that tell the runs apart, counted from 1; empty where there is but one.
std::string run_label(const Collection& collection, std::size_t run);

/// The ledgers of the runs and beside them, each different one once, under the names of the files that have
/// it.
std::vector<From<Ledger>> ledgers_of(const Collection& collection);

/// Sentences on what a reader could miss: runs that did not come to their end, a run given twice, cases that
/// occur more than once and whether they ended alike, runs of different builds.
std::vector<std::string> notices(const Collection& collection);

/// The worst status of any case: failed, refused, mistrusted, passed, skipped; skipped where there is none.
Status worst(const Summary& summary);

/// How many cases ended with the status.
std::uint64_t count_of(const Summary& summary, Status status);

/// "744 cases: 742 passed, 2 failed".
std::string summary_text(const Summary& summary);

}  // namespace quadpair::reports
