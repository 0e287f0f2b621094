// One case on a matrix that is ready: device against reference.
#pragma once

#include "cases/suite.hpp"
#include "harness/run/device_pool.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/options.hpp"
#include "harness/run/problem.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// Makes the inputs, runs them on a device of the pool and on the reference, each with `threads`
/// threads, and judges. Fills in all of the record that follows from that. Throws what kernels and device
/// throw; the record then holds what was known before.
void verify_matrix(const cases::Case& c, const Problem& problem, const Matrix& matrix, const Options& options,
                   DevicePool& devices, unsigned threads, reports::CaseRecord& record);

}  // namespace quadpair::run
