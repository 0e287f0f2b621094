#include "cases/compressed_tensors.hpp"

#include "cases/checkpoint/read_nvfp4.hpp"

namespace quadpair::cases {

QuantizedMatrix load_compressed_tensors(const Safetensors& file, const std::string& name) {
  return read_nvfp4([&](const std::string&) -> const Safetensors& { return file; }, name,
                    compressed_tensors_nvfp4);
}

}  // namespace quadpair::cases
