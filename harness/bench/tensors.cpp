#include "harness/bench/tensors.hpp"

#include <algorithm>
#include <utility>

#include "harness/bench/sides.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/launches.hpp"
#include "kernels/common/check.hpp"

namespace quadpair::bench {
namespace {

class Owned final : public DeviceMemory {
 public:
  explicit Owned(std::unique_ptr<device::Buffer> buffer) : buffer_(std::move(buffer)) {}
  DevicePtr address() const override { return buffer_->address(); }
  void upload(std::span<const std::byte> data) override { buffer_->upload(data); }

 private:
  std::unique_ptr<device::Buffer> buffer_;
};

}  // namespace

Allocate allocate_on(device::Device& device) {
  return [&device](std::string_view name, std::size_t bytes) {
    return std::make_unique<Owned>(device.allocate(std::string(name), bytes, device::Access::output, 0xDB));
  };
}

std::unique_ptr<device::Buffer> input_buffer(device::Device& device, std::string name,
                                             std::span<const std::byte> data) {
  auto buffer = device.allocate(std::move(name), data.size(), device::Access::input, 0xDB);
  buffer->upload(data);
  return buffer;
}

Tensors::Tensors(device::Device& device, const run::Problem& problem, const run::Matrix& matrix,
                 std::uint32_t count, const run::ModuleLookup& find_module) {
  const cases::QuantizedMatrix& w = *matrix.weights;
  const auto codes = input_buffer(device, "checkpoint codes", run::bytes_of(w.codes));
  const auto scales = input_buffer(device, "checkpoint scales",
                                   problem.fp8 ? run::bytes_of(w.fp8_scales) : run::bytes_of(w.scales));
  const Allocate allocate = allocate_on(device);
  const Execute execute = [&](std::span<const Launch> launches) {
    device.run(run::looked_up({launches.begin(), launches.end()}, find_module));
  };
  if (problem.fp8) {
    fp8_items_ = storage_of(problem, 0);
    const qpn8::CheckpointMatrix checkpoint{w.n, w.k, *problem.fp8, codes->address(), scales->address()};
    for (std::uint32_t tensor = 0; tensor < count; ++tensor)
      fp8_.emplace_back(checkpoint, problem.target, allocate, execute);
    return;
  }
  const CheckpointMatrix checkpoint{w.name,   w.n, w.k, problem.halves, codes->address(), scales->address(),
                                    w.globals};
  for (std::uint32_t tensor = 0; tensor < count; ++tensor)
    projections_.emplace_back(checkpoint, problem.policy.value(), problem.target, allocate, execute);
}

run::Operands Tensors::operands(std::uint32_t tensor) const {
  run::Operands operands;
  if (fp8_.empty())
    operands.projection = &projections_.at(tensor);
  else
    operands.fp8 = &fp8_.at(tensor);
  return operands;
}

StreamRange Tensors::range(std::uint32_t tensor, std::string_view item) const {
  for (const StorageItem& held : fp8_items_)
    if (held.name == item)
      return {item == "qpn8_codes" ? fp8_.at(tensor).codes() : fp8_.at(tensor).scales(), held.bytes};
  require(fp8_.empty(), "the weights have no " + std::string(item));
  const auto& items = projections_.at(tensor).items();
  const auto found = std::ranges::find(items, item, [](const Projection::Item& i) { return i.storage.name; });
  require(found != items.end(), "the weights have no " + std::string(item));
  return {found->memory->address(), found->storage.bytes};
}

}  // namespace quadpair::bench
