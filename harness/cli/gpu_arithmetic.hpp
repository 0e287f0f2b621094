// Which tensor-core arithmetic a GPU gives to the kernels of a target.
#pragma once

#include <optional>

#include "kernels/common/target.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::cli {

/// By compute capability. sm_80 and later lower m8n8k4 to FP32 FMAs; code for an older target is compiled
/// from its PTX there. Nothing where the GPU cannot run the target's code.
std::optional<reference::Model> gpu_arithmetic(int major, int minor, Target target);

}  // namespace quadpair::cli
