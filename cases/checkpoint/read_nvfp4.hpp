// NVFP4 matrices as checkpoints store them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cases/checkpoint/cut.hpp"
#include "cases/checkpoint/quant_format.hpp"
#include "cases/quantized_matrix.hpp"
#include "cases/safetensors.hpp"

namespace quadpair::cases {

/// The file that holds a tensor; throws DataError for a name that is not there.
using FileOf = std::function<const Safetensors&(const std::string& tensor)>;

/// Rows and k of a stored matrix.
struct StoredShape {
  std::uint64_t n = 0, k = 0;
  friend bool operator==(const StoredShape&, const StoredShape&) = default;
};

/// The shape of NVFP4 matrix `name`, its tensors checked against each other; reads no tensor. Throws
/// DataError naming file and tensor for one that is missing or does not fit.
StoredShape shape_of_nvfp4(const FileOf& files, const std::string& name, const Nvfp4Format& format);

/// A cut of NVFP4 matrix `name`; the whole without one. Its k range must lie on groups of 16. A divisor d
/// becomes the multiplier g = 1.0f / d (one FP32 division).
/// Throws DataError naming file, tensor, index and value for: tensors that do not fit; a NaN or negative
/// block scale; a global scale that is 0, negative or not finite, or whose reciprocal is; a G = h(g . 2^14)
/// that is 0 or not finite; a scale product h(h(e4m3) . G) that is not finite.
QuantizedMatrix read_nvfp4(const FileOf& files, const std::string& name, const Nvfp4Format& format,
                           const std::optional<Cut>& cut = std::nullopt);

}  // namespace quadpair::cases
