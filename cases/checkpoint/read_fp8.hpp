// FP8 matrices as checkpoints store them.
#pragma once

#include <optional>
#include <string>

#include "cases/checkpoint/read_nvfp4.hpp"

namespace quadpair::cases {

/// Side of the blocks of fp8_block.
inline constexpr std::uint32_t fp8_block_side = 128;

/// The shape of FP8 matrix `name` and whether its scales are of rows or of blocks; reads no tensor. Scales
/// F32, F16 or BF16 of shape [] or [1] (the matrix), [n] or [n, 1] (rows), [ceil(n/128), ceil(k/128)] or
/// [ceil(n/128), 1, ceil(k/128), 1] (blocks). Throws DataError naming file and tensor.
struct Fp8Shape {
  StoredShape shape;
  WeightFormat format = WeightFormat::fp8_channel;
};
Fp8Shape shape_of_fp8(const FileOf& files, const std::string& name, const Fp8Format& format);

/// A cut of FP8 matrix `name`; the whole without one. A scale of the matrix becomes one of each row. Throws
/// DataError naming file, tensor, index and value for tensors that do not fit, a NaN code, a scale that is
/// negative or not finite, zero over codes that are not, or makes a weight that FP16 has not, and a cut of
/// blocks that does not begin on one.
QuantizedMatrix read_fp8(const FileOf& files, const std::string& name, const Fp8Format& format,
                         const std::optional<Cut>& cut = std::nullopt);

}  // namespace quadpair::cases
