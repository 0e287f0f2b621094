// Slices in compressed-tensors `nvfp4-pack-quantized` layout.
#pragma once

#include <string>

#include "cases/quantized_matrix.hpp"
#include "cases/safetensors.hpp"

namespace quadpair::cases {

/// The matrix `name` of a file: `name.weight_packed` U8 [n, k/2], `name.weight_scale` F8_E4M3 [n, k/16],
/// `name.weight_global_scale` F32 [1]. The global scale d is a divisor by the format's convention, whatever
/// its size: the matrix gets the multiplier g = 1.0f / d (one FP32 division).
/// Throws DataError naming file, tensor, index and value for missing or misshapen tensors, a NaN or negative
/// block scale, and a global scale that is not positive and finite or whose reciprocal is not.
QuantizedMatrix load_compressed_tensors(const Safetensors& file, const std::string& name);

}  // namespace quadpair::cases
