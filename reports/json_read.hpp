// Reports from JSON, as reports/json.hpp writes them.
#pragma once

#include <stdexcept>

#include "reports/json.hpp"

namespace quadpair::reports {

/// What is wrong with a report, and where: "/cases/3/status: ...".
struct ReadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Everything that the writer wrote, to the last bit; notes stay part of the reason. Each throws ReadError
/// for what it would have to leave out or make up: a member that is missing, of a wrong type or range, or
/// unknown. Members that later versions added may be missing; what they say is then not known.
KernelRecord kernel_from_json(const Json& json);
/// Without kernels, which a report lists for the whole run.
CaseRecord case_from_json(const Json& json);
TimingRecord timing_from_json(const Json& json);
/// Kernels are given back to the run, and to the cases whose route names them.
Report report_from_json(const Json& json);

}  // namespace quadpair::reports
