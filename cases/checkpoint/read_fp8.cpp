#include "cases/checkpoint/read_fp8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cases/checkpoint/floats.hpp"
#include "cases/error.hpp"
#include "reference/formats/fp16.hpp"
#include "reference/formats/fp4_fp8.hpp"

namespace quadpair::cases {
namespace {

constexpr std::uint64_t side = fp8_block_side;

std::uint64_t blocks(std::uint64_t extent) {
  return (extent + side - 1) / side;
}

std::string place(const Safetensors& file, const std::string& tensor) {
  return fmt::format("{}: tensor '{}'", file.name(), tensor);
}

/// Scales of a cut, and where each stands in its tensor.
struct Scales {
  std::vector<float> values;
  std::vector<std::uint64_t> indices;
};

/// The scale at an element of the scales' tensor, which is named by that index when it cannot be one.
float scale_at(const Safetensors& file, const std::string& tensor, std::uint64_t index) {
  const float scale = float_at(file.require(tensor), index);
  if (!std::isfinite(scale) || std::signbit(scale))
    throw DataError(fmt::format("{}[{}] is {:.9g}: it may not be negative or not finite", place(file, tensor),
                                index, scale));
  return scale;
}

void read_values(const Safetensors& file, const std::string& tensor, Scales& scales) {
  for (const std::uint64_t index : scales.indices) scales.values.push_back(scale_at(file, tensor, index));
}

Scales channel_scales(const Safetensors& file, const std::string& tensor, const Cut& cut) {
  const bool one = file.require(tensor).bytes.size() == element_bytes(file.require(tensor).dtype);
  Scales scales;
  for (const RowRun& run : cut.rows)
    for (std::uint64_t row = run.first; row < run.first + run.count; ++row)
      scales.indices.push_back(one ? 0 : row);
  read_values(file, tensor, scales);
  return scales;
}

/// Each block of the cut must be one of the stored matrix.
void require_blocks(const Cut& cut, const std::string& where) {
  std::uint64_t row = 0;
  for (const RowRun& run : cut.rows) {
    if (run.first % side != row % side || (row % side != 0 && cut.stored_row(row - 1) + 1 != run.first))
      throw DataError(fmt::format(
          "{}: a slice from row {} on would cut a block of 128 rows that has one scale", where, run.first));
    row += run.count;
  }
  if (cut.first_k % side != 0)
    throw DataError(fmt::format("{}: a slice from k = {} on would cut a block of 128 that has one scale",
                                where, cut.first_k));
}

Scales block_scales(const Safetensors& file, const std::string& tensor, const Cut& cut, std::uint64_t k) {
  require_blocks(cut, place(file, tensor));
  Scales scales;
  for (std::uint64_t row = 0; row < cut.row_count(); row += side)
    for (std::uint64_t column = cut.first_k; column < cut.first_k + cut.k; column += side)
      scales.indices.push_back(cut.stored_row(row) / side * blocks(k) + column / side);
  read_values(file, tensor, scales);
  return scales;
}

/// The largest magnitude among the codes that scale `s` of the matrix is for.
std::uint8_t largest_code(const QuantizedMatrix& matrix, std::size_t s) {
  const bool channel = matrix.format == WeightFormat::fp8_channel;
  const std::size_t block_rows = channel ? 1 : side, block_k = channel ? matrix.k : side;
  const std::size_t columns = (matrix.k + block_k - 1) / block_k;
  const std::size_t first_row = s / columns * block_rows, first_k = s % columns * block_k;
  std::uint8_t largest = 0;  // magnitudes are ordered as their bits
  for (std::size_t row = first_row; row < std::min<std::size_t>(first_row + block_rows, matrix.n); ++row)
    for (std::size_t k = first_k; k < std::min<std::size_t>(first_k + block_k, matrix.k); ++k)
      largest = std::max<std::uint8_t>(largest, matrix.codes[row * matrix.k + k] & 0x7F);
  return largest;
}

/// Weights are FP16 numbers: RN16(code . 2^-8 . RN16(scale . 2^8)) may not overflow, nor a scale be zero
/// where a code is not.
void require_weights(const QuantizedMatrix& matrix, const Scales& scales, const std::string& where) {
  for (std::size_t s = 0; s < scales.values.size(); ++s) {
    const float scale = scales.values[s];
    const std::uint8_t code = largest_code(matrix, s);
    const reference::Half placed = reference::to_half(std::ldexp(scale, 8));
    const reference::Half magnitude = reference::to_half(std::ldexp(reference::e4m3_value(code), -8));
    const auto refuse = [&](const std::string& why) {
      throw DataError(fmt::format("{}[{}] is {:.9g}: {}", where, scales.indices[s], scale, why));
    };
    if (!reference::is_finite(placed)) refuse("times 256 it is outside FP16");
    if (code == 0) continue;
    if (placed == 0)
      refuse(fmt::format("a row or block of zeros alone may have it, and here is code 0x{:02X}", code));
    if (!reference::is_finite(reference::mul(magnitude, placed)))
      refuse(fmt::format("its product with code 0x{:02X} is outside FP16", code));
  }
}

}  // namespace

Fp8Shape shape_of_fp8(const FileOf& files, const std::string& name, const Fp8Format& format) {
  const std::string codes_name = name + ".weight", scales_name = name + std::string(format.scales);
  const Tensor& codes = files(codes_name).require(codes_name, "F8_E4M3", 2);
  const std::uint64_t n = codes.shape[0], k = codes.shape[1];
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (n == 0 || k == 0 || n > most || k > most)
    throw DataError(
        fmt::format("{} has shape {}", place(files(codes_name), codes_name), shape_text(codes.shape)));
  const Safetensors& file = files(scales_name);
  const Tensor& scales = file.require(scales_name);
  if (!is_float(scales.dtype))
    throw DataError(
        fmt::format("{} has dtype {}, not F32, F16 or BF16", place(file, scales_name), scales.dtype));
  using Extents = std::vector<std::uint64_t>;
  const bool of_blocks =
      scales.shape == Extents{blocks(n), blocks(k)} || scales.shape == Extents{blocks(n), 1, blocks(k), 1};
  const bool of_rows = scales.shape == Extents{n} || scales.shape == Extents{n, 1} || scales.shape.empty() ||
                       scales.shape == Extents{1};
  const bool named_inverse = format.scales == ".weight_scale_inv";  // which only blocks have
  if (of_rows && !named_inverse) return {{n, k}, WeightFormat::fp8_channel};
  if (of_blocks) return {{n, k}, WeightFormat::fp8_block};
  throw DataError(fmt::format("{} has shape {}, which is neither one scale, nor {} of rows, nor {} of blocks",
                              place(file, scales_name), shape_text(scales.shape), shape_text(Extents{n, 1}),
                              shape_text(Extents{blocks(n), blocks(k)})));
}

QuantizedMatrix read_fp8(const FileOf& files, const std::string& name, const Fp8Format& format,
                         const std::optional<Cut>& wanted) {
  const Fp8Shape stored = shape_of_fp8(files, name, format);
  const Cut cut = wanted.value_or(whole(stored.shape.n, stored.shape.k));
  const std::string codes_name = name + ".weight", scales_name = name + std::string(format.scales);
  const Safetensors &codes = files(codes_name), &scales = files(scales_name);
  QuantizedMatrix matrix;
  matrix.name = name;
  matrix.source = codes.name();
  matrix.format = stored.format;
  matrix.n = static_cast<std::uint32_t>(cut.row_count());
  matrix.k = static_cast<std::uint32_t>(cut.k);
  Scales found = stored.format == WeightFormat::fp8_block
                     ? block_scales(scales, scales_name, cut, stored.shape.k)
                     : channel_scales(scales, scales_name, cut);
  matrix.codes = copy_rows(codes.require(codes_name).bytes, cut.rows, stored.shape.k, cut.first_k, cut.k);
  for (std::size_t i = 0; i < matrix.codes.size(); ++i)
    if ((matrix.codes[i] & 0x7F) == 0x7F)
      throw DataError(fmt::format("{}[{}, {}] is 0x{:02X}: NaN", place(codes, codes_name),
                                  cut.stored_row(i / cut.k), cut.first_k + i % cut.k, matrix.codes[i]));
  require_weights(matrix, found, place(scales, scales_name));
  matrix.fp8_scales = std::move(found.values);
  return matrix;
}

}  // namespace quadpair::cases
