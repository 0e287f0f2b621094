// What a report says of a kernel launched on a device.
#pragma once

#include "harness/device/device.hpp"
#include "kernels/common/launch.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

reports::KernelRecord kernel_record(const Launch& launch, const device::Device& device);

}  // namespace quadpair::run
