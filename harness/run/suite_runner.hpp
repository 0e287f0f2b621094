// Many cases, spread over the cores.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "cases/suite.hpp"
#include "harness/run/options.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// Called for each finished case, one call at a time, in whatever order they finish. `index` is the case's
/// place in the suite.
using OnFinished = std::function<void(std::size_t index, reports::CaseRecord record)>;

/// Runs all cases. Small ones run side by side on one thread each, which is faster than to spread their
/// launches; large ones (a production slice) run after them, one at a time on all threads, so that memory
/// stays bounded. After a stop is requested no further case is started. Rethrows what on_finished throws.
void run_cases(const std::vector<cases::Case>& cases, const Options& options, const OnFinished& on_finished,
               const std::stop_token& stop = {});

}  // namespace quadpair::run
