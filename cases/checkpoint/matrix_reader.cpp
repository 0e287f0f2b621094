#include "cases/checkpoint/matrix_reader.hpp"

#include <fmt/format.h>

#include "cases/checkpoint/floats.hpp"
#include "cases/error.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::cases {
namespace {

FileOf files_of(const Checkpoint& checkpoint) {
  return [&](const std::string& tensor) -> const Safetensors& { return checkpoint.file_of(tensor); };
}

bool has_dtype(const Checkpoint& checkpoint, const std::string& tensor, std::string_view dtype) {
  const Tensor* found = checkpoint.find(tensor);
  return found != nullptr && found->dtype == dtype;
}

/// A quantised tensor of the module that the declaration does not explain.
[[noreturn]] void refuse_undeclared(const Checkpoint& checkpoint, const std::string& tensor) {
  const auto& format = checkpoint.format();
  throw DataError(fmt::format(
      "{}: tensor '{}' has dtype {}, but {}", checkpoint.file_of(tensor).name(), tensor,
      checkpoint.find(tensor)->dtype,
      format ? format->declared + " says otherwise" : std::string("no config declares what its codes mean")));
}

void refuse_ignored(const Checkpoint& checkpoint, const std::string& module, const std::string& tensor) {
  if (checkpoint.format()->ignores(module)) refuse_undeclared(checkpoint, tensor);
}

/// Columns [first, first + count) of values [rows, k].
std::vector<float> columns(const std::vector<float>& values, std::uint64_t k, std::uint64_t first,
                           std::uint64_t count) {
  if (count == k) return values;
  std::vector<float> result;
  result.reserve(values.size() / k * count);
  for (auto row = values.begin(); row != values.end(); row += static_cast<std::ptrdiff_t>(k)) {
    const auto begin = row + static_cast<std::ptrdiff_t>(first);
    result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return result;
}

QuantizedMatrix quantised_dense(const Safetensors& file, const std::string& tensor, const Cut& cut,
                                Quantize quantize) {
  const std::uint64_t k = file.require(tensor).shape.at(1);
  const auto n = static_cast<std::uint32_t>(cut.row_count());
  const std::vector<float> rows = read_rows(file, tensor, cut.rows);
  if (quantize == Quantize::nvfp4)
    return quantize_nvfp4(columns(rows, k, cut.first_k, cut.k), n, static_cast<std::uint32_t>(cut.k),
                          nvfp4_global(largest_magnitude(file, tensor)));
  QuantizedMatrix matrix = quantize_fp8(rows, n, static_cast<std::uint32_t>(k));
  const std::span<const std::byte> codes = std::as_bytes(std::span(matrix.codes));
  const RowRun all{0, n};
  matrix.codes = copy_rows(codes, {&all, 1}, k, cut.first_k, cut.k);
  matrix.k = static_cast<std::uint32_t>(cut.k);
  if (cut.k == k && file.require(tensor).dtype == "F16")
    for (const float number : rows) matrix.fp16.push_back(reference::to_half(number));
  return matrix;
}

}  // namespace

StoredMatrix stored_matrix(const Checkpoint& checkpoint, const std::string& module) {
  const FileOf files = files_of(checkpoint);
  const auto& format = checkpoint.format();
  const std::string weight = module + ".weight", packed = module + ".weight_packed";
  if (format && format->nvfp4) {
    const std::string codes = module + std::string(format->nvfp4->codes);
    if (has_dtype(checkpoint, codes, "U8")) {
      refuse_ignored(checkpoint, module, codes);
      return {Stored::nvfp4, shape_of_nvfp4(files, module, *format->nvfp4)};
    }
  }
  if (format && format->fp8 && has_dtype(checkpoint, weight, "F8_E4M3")) {
    refuse_ignored(checkpoint, module, weight);
    return {Stored::fp8, shape_of_fp8(files, module, *format->fp8).shape};
  }
  if (checkpoint.find(weight) == nullptr && checkpoint.find(packed) != nullptr)
    refuse_undeclared(checkpoint, packed);
  const Safetensors& file = checkpoint.file_of(weight);
  const Tensor& tensor = file.require(weight);
  if (!is_float(tensor.dtype)) refuse_undeclared(checkpoint, weight);
  file.require(weight, tensor.dtype, 2);
  return {Stored::dense, {tensor.shape[0], tensor.shape[1]}};
}

QuantizedMatrix read_matrix(const Checkpoint& checkpoint, const std::string& module, const Cut& cut,
                            Quantize quantize) {
  const StoredMatrix stored = stored_matrix(checkpoint, module);
  const FileOf files = files_of(checkpoint);
  if (stored.stored == Stored::nvfp4) return read_nvfp4(files, module, *checkpoint.format()->nvfp4, cut);
  if (stored.stored == Stored::fp8) return read_fp8(files, module, *checkpoint.format()->fp8, cut);
  const std::string weight = module + ".weight";
  const Safetensors& file = checkpoint.file_of(weight);
  if (quantize == Quantize::none)
    throw DataError(fmt::format("{}: tensor '{}' is {}, not quantised; it can be quantised on the way",
                                file.name(), weight, file.require(weight).dtype));
  QuantizedMatrix matrix = quantised_dense(file, weight, cut, quantize);
  matrix.name = module;
  matrix.source = file.name();
  return matrix;
}

}  // namespace quadpair::cases
