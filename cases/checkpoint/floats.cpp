#include "cases/checkpoint/floats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "cases/error.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::cases {
namespace {

template <class Bits>
Bits bits_at(const Tensor& tensor, std::uint64_t index) {
  Bits bits = 0;
  std::memcpy(&bits, tensor.bytes.subspan(index * sizeof bits, sizeof bits).data(), sizeof bits);
  return bits;
}

/// Calls `take` with each element of a row.
template <class Take>
void each_of_row(const Safetensors& file, const std::string& name, std::uint64_t row, const Take& take) {
  const Tensor& tensor = file.require(name);
  const std::uint64_t k = tensor.shape.at(1);
  for (std::uint64_t i = 0; i < k; ++i) {
    const float value = float_at(tensor, row * k + i);
    if (!std::isfinite(value))
      throw DataError(
          fmt::format("{}: tensor '{}'[{}, {}] is {}: not finite", file.name(), name, row, i, value));
    take(value);
  }
}

}  // namespace

bool is_float(std::string_view dtype) {
  return dtype == "F32" || dtype == "F16" || dtype == "BF16";
}

std::uint64_t element_bytes(std::string_view dtype) {
  return dtype == "F32" ? 4 : 2;
}

float float_at(const Tensor& tensor, std::uint64_t index) {
  if (tensor.dtype == "F32") return std::bit_cast<float>(bits_at<std::uint32_t>(tensor, index));
  const auto bits = bits_at<std::uint16_t>(tensor, index);
  return tensor.dtype == "F16" ? reference::to_float(bits) : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::vector<float> read_rows(const Safetensors& file, const std::string& name, std::span<const RowRun> rows) {
  std::vector<float> values;
  for (const RowRun& run : rows)
    for (std::uint64_t row = run.first; row < run.first + run.count; ++row)
      each_of_row(file, name, row, [&](float value) { values.push_back(value); });
  return values;
}

float largest_magnitude(const Safetensors& file, const std::string& name) {
  float largest = 0;
  for (std::uint64_t row = 0; row < file.require(name).shape.at(0); ++row)
    each_of_row(file, name, row, [&](float value) { largest = std::max(largest, std::fabs(value)); });
  return largest;
}

}  // namespace quadpair::cases
