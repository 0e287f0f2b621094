#include "cases/compressed_tensors.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

std::vector<std::uint8_t> copy_bytes(const Tensor& tensor) {
  std::vector<std::uint8_t> bytes(tensor.bytes.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), tensor.bytes.data(), bytes.size());
  return bytes;
}

void refuse_bad_scales(const std::vector<std::uint8_t>& scales, std::size_t groups,
                       const std::string& where) {
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const bool nan = (scales[i] & 0x7F) == 0x7F;
    if (!nan && scales[i] < 0x80) continue;
    char value[8];
    std::snprintf(value, sizeof value, "0x%02X", static_cast<unsigned>(scales[i]));
    throw DataError(where + "[" + std::to_string(i / groups) + ", " + std::to_string(i % groups) + "] is " +
                    value + ": " + (nan ? "NaN" : "negative"));
  }
}

float reciprocal_of_global(const Tensor& tensor, const std::string& where) {
  static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");
  float divisor = 0;
  std::memcpy(&divisor, tensor.bytes.data(), sizeof divisor);
  const float multiplier = 1.0f / divisor;
  if (!(divisor > 0) || !std::isfinite(divisor) || !std::isfinite(multiplier)) {
    char value[32];
    std::snprintf(value, sizeof value, "%.9g", static_cast<double>(divisor));
    throw DataError(where + "[0] is " + value +
                    ": neither it nor its reciprocal may be 0, negative or not finite");
  }
  return multiplier;
}

}  // namespace

QuantizedMatrix load_compressed_tensors(const Safetensors& file, const std::string& name) {
  const std::string packed_name = name + ".weight_packed";
  const Tensor& packed = file.require(packed_name, "U8", 2);
  const std::uint64_t n = packed.shape[0], half_k = packed.shape[1];
  if (n == 0 || half_k == 0 || half_k % 8 != 0 || n > std::numeric_limits<std::uint32_t>::max() ||
      half_k > std::numeric_limits<std::uint32_t>::max() / 2)
    throw DataError(file.name() + ": tensor '" + packed_name + "' has shape " + shape_text(packed.shape) +
                    ": it must have rows, and a multiple of 8 bytes in each");
  const std::string scale_name = name + ".weight_scale", global_name = name + ".weight_global_scale";
  const Tensor& scale = file.require(scale_name, "F8_E4M3", std::array{n, half_k / 8});
  const Tensor& global = file.require(global_name, "F32", std::array{std::uint64_t{1}});

  QuantizedMatrix matrix;
  matrix.name = name;
  matrix.source = file.name();
  matrix.n = static_cast<std::uint32_t>(n);
  matrix.k = static_cast<std::uint32_t>(2 * half_k);
  matrix.codes = copy_bytes(packed);
  matrix.scales = copy_bytes(scale);
  refuse_bad_scales(matrix.scales, half_k / 8, file.name() + ": tensor '" + scale_name + "'");
  matrix.globals = {reciprocal_of_global(global, file.name() + ": tensor '" + global_name + "'")};
  return matrix;
}

}  // namespace quadpair::cases
