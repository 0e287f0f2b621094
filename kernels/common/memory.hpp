// Device memory as the library asks for it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "kernels/common/launch.hpp"

namespace quadpair {

/// A device allocation; its destructor frees it.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual DevicePtr address() const = 0;
  /// Fills the whole allocation before it returns.
  virtual void upload(std::span<const std::byte> data) = 0;
};

/// Gives memory that is at least 256-byte aligned.
using Allocate = std::function<std::unique_ptr<DeviceMemory>(std::string_view name, std::size_t bytes)>;

/// Allocates with cudaMalloc on the device that is current at each call. Throws DeviceError when there is no
/// CUDA runtime; what it gives throws DeviceError when memory runs out.
Allocate cuda_allocate();

}  // namespace quadpair
