// Dense tensors: F32, F16, BF16.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cases/checkpoint/cut.hpp"
#include "cases/safetensors.hpp"

namespace quadpair::cases {

bool is_float(std::string_view dtype);

/// Bytes of an element of such a tensor.
std::uint64_t element_bytes(std::string_view dtype);

/// The element of that flat index of a dense tensor as FP32, exact.
float float_at(const Tensor& tensor, std::uint64_t index);

/// Rows of tensor `name` [n, k] as FP32 [rows, k]. Throws DataError naming file, tensor, index and value for
/// an element that is NaN or infinite.
std::vector<float> read_rows(const Safetensors& file, const std::string& name, std::span<const RowRun> rows);

/// The largest magnitude of tensor `name` [n, k]; reads all of it. Throws DataError as above.
float largest_magnitude(const Safetensors& file, const std::string& name);

}  // namespace quadpair::cases
