#include "cases/safetensors.hpp"

#include <algorithm>
#include <utility>

#include "cases/error.hpp"

namespace quadpair::cases {

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

Safetensors::Safetensors(const std::filesystem::path& file) : Safetensors(file, file.string()) {}

Safetensors::Safetensors(const std::filesystem::path& file, std::string name)
    : map_(file), name_(std::move(name)), header_(read_safetensors_header(map_->bytes(), name_)) {}

Safetensors::Safetensors(std::span<const std::byte> bytes, std::string name)
    : name_(std::move(name)), header_(read_safetensors_header(bytes, name_)) {}

const Tensor& Safetensors::require(std::string_view tensor) const {
  const auto found = tensors().find(tensor);
  if (found == tensors().end()) throw DataError(name_ + ": tensor '" + std::string(tensor) + "' is missing");
  return found->second;
}

const Tensor& Safetensors::require(std::string_view tensor, std::string_view dtype, std::size_t rank) const {
  const Tensor& t = require(tensor);
  const std::string where = name_ + ": tensor '" + std::string(tensor) + "'";
  if (t.dtype != dtype) throw DataError(where + " has dtype " + t.dtype + ", not " + std::string(dtype));
  if (t.shape.size() != rank)
    throw DataError(where + " has shape " + shape_text(t.shape) + ", not " + std::to_string(rank) +
                    " dimensions");
  return t;
}

const Tensor& Safetensors::require(std::string_view tensor, std::string_view dtype,
                                   std::span<const std::uint64_t> shape) const {
  const Tensor& t = require(tensor, dtype, shape.size());
  if (!std::equal(shape.begin(), shape.end(), t.shape.begin()))
    throw DataError(name_ + ": tensor '" + std::string(tensor) + "' has shape " + shape_text(t.shape) +
                    ", not " + shape_text(shape));
  return t;
}

}  // namespace quadpair::cases
