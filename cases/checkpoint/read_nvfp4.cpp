#include "cases/checkpoint/read_nvfp4.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "cases/error.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::cases {
namespace {

using reference::Half;

constexpr std::uint32_t group = 16;

std::string place(const Safetensors& file, const std::string& tensor) {
  return fmt::format("{}: tensor '{}'", file.name(), tensor);
}

/// The multiplier of a global scale [1] or [].
float multiplier_of(const Safetensors& file, const std::string& tensor, ScaleSense sense) {
  static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");
  const Tensor& stored = file.require(tensor);
  if (stored.dtype != "F32" || stored.bytes.size() != sizeof(float))
    throw DataError(
        fmt::format("{} is {} {}, not one F32", place(file, tensor), stored.dtype, shape_text(stored.shape)));
  float value = 0;
  std::memcpy(&value, stored.bytes.data(), sizeof value);
  const bool divides = sense == ScaleSense::divisor;
  const float multiplier = divides ? 1.0f / value : value;
  if (!(value > 0) || !std::isfinite(value) || !std::isfinite(multiplier))
    throw DataError(fmt::format("{}[0] is {:.9g}: {}", place(file, tensor), value,
                                divides ? "neither it nor its reciprocal may be 0, negative or not finite"
                                        : "it may not be 0, negative or not finite"));
  const Half g = reference::to_half(std::ldexp(multiplier, 14));
  if (g == 0 || !reference::is_finite(g))
    throw DataError(fmt::format("{}[0] is {:.9g}: as FP16, {:.9g} . 2^14 is {}", place(file, tensor), value,
                                multiplier, g == 0 ? "0" : "infinite"));
  return multiplier;
}

/// What is wrong with each scale byte under a global scale, or nothing.
std::array<std::string, 256> faults_of_scales(float multiplier) {
  std::array<std::string, 256> faults;
  const Half g = reference::to_half(std::ldexp(multiplier, 14));
  for (unsigned byte = 0; byte < 256; ++byte) {
    const Half scale = reference::to_half(reference::e4m3_value(static_cast<std::uint8_t>(byte)));
    if ((byte & 0x7F) == 0x7F)
      faults[byte] = "NaN";
    else if (byte >= 0x80)
      faults[byte] = "negative";
    else if (!reference::is_finite(reference::mul(scale, g)))
      faults[byte] = fmt::format("its product with the global scale, {:.9g}, is outside FP16", multiplier);
  }
  return faults;
}

}  // namespace

StoredShape shape_of_nvfp4(const FileOf& files, const std::string& name, const Nvfp4Format& format) {
  const std::string codes_name = name + std::string(format.codes);
  const Safetensors& file = files(codes_name);
  const Tensor& codes = file.require(codes_name, "U8", 2);
  const std::uint64_t n = codes.shape[0], half_k = codes.shape[1];
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (n == 0 || half_k == 0 || half_k % 8 != 0 || n > most || half_k > most / 2)
    throw DataError(fmt::format("{} has shape {}: it must have rows, and a multiple of 8 bytes in each",
                                place(file, codes_name), shape_text(codes.shape)));
  const std::string scales_name = name + std::string(format.scales);
  files(scales_name).require(scales_name, "F8_E4M3", std::array{n, half_k / 8});
  const std::string global_name = name + std::string(format.global);
  files(global_name).require(global_name);
  return {n, 2 * half_k};
}

QuantizedMatrix read_nvfp4(const FileOf& files, const std::string& name, const Nvfp4Format& format,
                           const std::optional<Cut>& wanted) {
  const StoredShape shape = shape_of_nvfp4(files, name, format);
  const Cut cut = wanted.value_or(whole(shape.n, shape.k));
  if (cut.first_k % group != 0 || cut.k % group != 0)
    throw DataError(fmt::format("'{}': k from {} to {} does not lie on groups of 16", name, cut.first_k,
                                cut.first_k + cut.k));
  const std::string codes_name = name + std::string(format.codes),
                    scales_name = name + std::string(format.scales),
                    global_name = name + std::string(format.global);
  const Safetensors &codes = files(codes_name), &scales = files(scales_name);

  QuantizedMatrix matrix;
  matrix.name = name;
  matrix.source = codes.name();
  matrix.n = static_cast<std::uint32_t>(cut.row_count());
  matrix.k = static_cast<std::uint32_t>(cut.k);
  matrix.globals = {multiplier_of(files(global_name), global_name, format.sense)};
  matrix.codes =
      copy_rows(codes.require(codes_name).bytes, cut.rows, shape.k / 2, cut.first_k / 2, cut.k / 2);
  matrix.scales = copy_rows(scales.require(scales_name).bytes, cut.rows, shape.k / group, cut.first_k / group,
                            cut.k / group);
  const auto faults = faults_of_scales(matrix.globals[0]);
  for (std::size_t i = 0; i < matrix.scales.size(); ++i) {
    if (faults[matrix.scales[i]].empty()) continue;
    const std::uint64_t groups = cut.k / group;
    throw DataError(fmt::format("{}[{}, {}] is 0x{:02X}: {}", place(scales, scales_name),
                                cut.stored_row(i / groups), cut.first_k / group + i % groups,
                                matrix.scales[i], faults[matrix.scales[i]]));
  }
  return matrix;
}

}  // namespace quadpair::cases
