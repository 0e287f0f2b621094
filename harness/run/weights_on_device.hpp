// A case's weights on a device: packed into the buffers of their storage policy.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/problem.hpp"
#include "kernels/projection/projection.hpp"
#include "kernels/qpn8/projection.hpp"
#include "reports/check.hpp"

namespace quadpair::run {

/// The name in reports of the check that holds a packed buffer against the reference.
std::string packed_check_name(std::string_view item);

/// Weights of the operator's format, and what was found while they were made.
struct DeviceWeights {
  std::variant<Projection, qpn8::Projection> packed;
  std::vector<reports::Check> checks;  ///< each buffer against the reference; the ledger, in bytes
};

/// Packs the matrix twice into the same buffers, over two poisons; these must not change from then on, nor
/// outlive the matrix.
/// FP8 weights that come with the FP16 numbers they were quantised from are quantised on the device.
/// Throws device::Fault where the two differ or a guard band was damaged, and what kernels and device throw.
DeviceWeights pack_weights(const Problem& problem, const Matrix& matrix, DeviceBuffers& buffers,
                           const Execute& execute);

}  // namespace quadpair::run
