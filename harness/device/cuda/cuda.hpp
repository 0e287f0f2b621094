// A GPU as a Device, through the CUDA runtime loaded at run time.
#pragma once

#include <memory>

#include "harness/device/device.hpp"

namespace quadpair::device {

/// GPU `index` of this machine. Throws DeviceError, saying what is missing, where there is no CUDA runtime,
/// driver or such GPU. The calling thread keeps the GPU as its current one.
std::unique_ptr<Device> make_cuda(int index);

/// What such a Device says of itself, without making a context on the GPU. Throws DeviceError.
DeviceInfo cuda_info(int index);

/// What a user may want to know of a GPU before work is planned for it.
struct CudaProperties {
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
};

/// The GPUs of this machine; empty, not an error, where there is no runtime, driver or GPU.
std::vector<CudaProperties> cuda_devices();

}  // namespace quadpair::device
