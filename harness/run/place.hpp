// A problem's buffers on a device, beside its weights.
#pragma once

#include "harness/inputs/inputs.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/problem.hpp"
#include "harness/run/weights_on_device.hpp"

namespace quadpair::run {

struct Place {
  device::Buffer* x = nullptr;
  device::Buffer* y = nullptr;
  std::size_t y_offset = 0;             ///< bytes of y's buffer before its first row
  device::Buffer* workspace = nullptr;  ///< null where the operator needs none

  /// y and the workspace are filled with the poison.
  Place(DeviceBuffers& buffers, const Problem& problem, const inputs::Inputs& inputs, std::uint8_t poison);

  /// Where y's first row begins.
  DevicePtr y_address() const { return y->address() + y_offset; }
  /// Null: an operator without weights.
  Operands operands(const DeviceWeights* weights) const;
};

}  // namespace quadpair::run
