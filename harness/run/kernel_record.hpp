// What a report says of a launched kernel.
#pragma once

#include "kernels/common/launch.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

reports::KernelRecord kernel_record(const Launch& launch);

}  // namespace quadpair::run
