// Compact scales restored against the buffer that a policy with persistent ones would hold.
#pragma once

#include "harness/device/device.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/problem.hpp"
#include "reports/check.hpp"

namespace quadpair::run {

/// Restores the projection's scales into a buffer of their own. Throws what kernels and device throw, and
/// device::Fault where a guard band was damaged.
reports::Check restored_scales(device::Device& device, const Problem& problem, const Matrix& matrix,
                               const Projection& projection, const Execute& execute);

}  // namespace quadpair::run
