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

struct SafetensorsHeader {
  std::map<std::string, Tensor, std::less<>> tensors;
  std::map<std::string, std::string, std::less<>> metadata;  ///< the texts of "__metadata__"
};

/// The header of a file: an 8-byte little-endian header length, a JSON header of dtype, shape and
/// data_offsets, then bytes. Throws DataError naming file, tensor, index and value for a header that is
/// longer than the file or than 100 MB or is not JSON, and for offsets that overlap, lie outside the file, or
/// do not match shape x dtype.
SafetensorsHeader read_safetensors_header(std::span<const std::byte> file, const std::string& name);

/// A safetensors file, mapped or already in memory.
class Safetensors {
 public:
  /// Maps `file`; messages call it by its path as given.
  explicit Safetensors(const std::filesystem::path& file);

  /// Maps `file`; messages call it `name`.
  Safetensors(const std::filesystem::path& file, std::string name);

  /// Reads bytes that outlive the object; messages call them `name`.
  Safetensors(std::span<const std::byte> bytes, std::string name);

  const std::string& name() const { return name_; }
  const std::map<std::string, Tensor, std::less<>>& tensors() const { return header_.tensors; }
  const std::map<std::string, std::string, std::less<>>& metadata() const { return header_.metadata; }
  bool contains(std::string_view tensor) const { return tensors().find(tensor) != tensors().end(); }

  /// The tensor of that name. Throws DataError naming file and tensor when it is missing.
  const Tensor& require(std::string_view tensor) const;

  /// As above, of this dtype and number of dimensions; throws DataError when it has others.
  const Tensor& require(std::string_view tensor, std::string_view dtype, std::size_t rank) const;

  /// As above with the whole shape.
  const Tensor& require(std::string_view tensor, std::string_view dtype,
                        std::span<const std::uint64_t> shape) const;

 private:
  std::optional<MemoryMap> map_;
  std::string name_;
  SafetensorsHeader header_;
};

}  // namespace quadpair::cases
