// Safetensors files made in memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace quadpair::cases {

/// A tensor to write: its dtype as in the file, shape, and little-endian bytes, which must match.
struct NewTensor {
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::string bytes;
};

/// A file of these tensors in the order of their names, its header padded so that data begin on 8 bytes, with
/// `metadata` as texts of "__metadata__".
std::string safetensors_bytes(const std::map<std::string, NewTensor>& tensors,
                              const std::map<std::string, std::string>& metadata = {});

}  // namespace quadpair::cases
