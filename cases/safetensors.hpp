// A reader of safetensors files: header checked in full, tensor bytes left where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/memory_map.hpp"

namespace quadpair::cases {

struct Tensor {
  std::string dtype;                 ///< as in the file: "U8", "F8_E4M3", "F16", "F32", ...
  std::vector<std::uint64_t> shape;  ///< row-major, outermost first
  std::span<const std::byte> bytes;  ///< shape x dtype, little-endian, not necessarily aligned
};

/// "[1152, 384]"
std::string shape_text(std::span<const std::uint64_t> shape);

/// The tensors of a file: an 8-byte little-endian header length, a JSON header of dtype, shape and
/// data_offsets, then bytes. Throws DataError naming file, tensor, index and value for a header that is
/// longer than the file or than 100 MB or is not JSON, and for offsets that overlap, lie outside the file, or
/// do not match shape x dtype.
std::map<std::string, Tensor, std::less<>> read_safetensors_header(std::span<const std::byte> file,
                                                                   const std::string& name);

/// A safetensors file, mapped or already in memory.
class Safetensors {
 public:
  /// Maps `file`; messages call it by its path as given.
  explicit Safetensors(const std::filesystem::path& file);

  /// Reads bytes that outlive the object; messages call them `name`.
  Safetensors(std::span<const std::byte> bytes, std::string name);

  const std::string& name() const { return name_; }
  const std::map<std::string, Tensor, std::less<>>& tensors() const { return tensors_; }
  bool contains(std::string_view tensor) const { return tensors_.find(tensor) != tensors_.end(); }

  /// The tensor of that name, of this dtype and number of dimensions. Throws DataError naming file and tensor
  /// when it is missing or has another dtype or rank.
  const Tensor& require(std::string_view tensor, std::string_view dtype, std::size_t rank) const;

  /// As above with the whole shape.
  const Tensor& require(std::string_view tensor, std::string_view dtype,
                        std::span<const std::uint64_t> shape) const;

 private:
  std::optional<MemoryMap> map_;
  std::string name_;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace quadpair::cases
