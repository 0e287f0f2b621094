#include "cases/checkpoint/safetensors_writer.hpp"

#include <nlohmann/json.hpp>

namespace quadpair::cases {

std::string safetensors_bytes(const std::map<std::string, NewTensor>& tensors,
                              const std::map<std::string, std::string>& metadata) {
  nlohmann::json header = nlohmann::json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    header[name] = {{"dtype", tensor.dtype},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string file;
  file.reserve(8 + text.size() + offset);
  for (unsigned i = 0; i < 8; ++i)
    file.push_back(static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * i)));
  file += text;
  for (const auto& [name, tensor] : tensors) file += tensor.bytes;
  return file;
}

}  // namespace quadpair::cases
