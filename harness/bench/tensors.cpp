#include "harness/bench/tensors.hpp"

#include "harness/run/device_buffers.hpp"

namespace quadpair::bench {

std::unique_ptr<device::Buffer> input_buffer(device::Device& device, std::string name,
                                             std::span<const std::byte> data) {
  auto buffer = device.allocate(std::move(name), data.size(), device::Access::input, 0xDB);
  buffer->upload(data);
  return buffer;
}

Tensors::Tensors(device::Device& device, const run::Matrix& matrix, std::uint32_t count) {
  for (std::uint32_t tensor = 0; tensor < count; ++tensor) {
    codes_.push_back(input_buffer(device, "codes", run::bytes_of(matrix.packed_codes)));
    scales_.push_back(input_buffer(device, "scales", run::bytes_of(matrix.packed_scales)));
  }
  const std::vector<std::uint16_t>& globals = matrix.preparation.tile_global;
  if (matrix.weights->globals.size() > 1) {
    tile_globals_ = input_buffer(device, "global scales", run::bytes_of(globals));
    global_.tiles = tile_globals_->address();
  } else {
    global_.value = globals.at(0);
  }
}

}  // namespace quadpair::bench
