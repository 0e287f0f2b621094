#include "harness/run/device_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace quadpair::run {
namespace {

constexpr std::uint8_t input_poison = 0xDB;

BufferChecks flags(std::string name, const std::vector<std::uint8_t>& broken, std::string note) {
  const std::vector<std::uint8_t> none(broken.size());
  return {compare::bitwise(std::move(name), none, broken), std::move(note)};
}

}  // namespace

device::Buffer& DeviceBuffers::input(const std::string& name, std::span<const std::byte> data) {
  auto buffer = device_.allocate(name, data.size(), device::Access::input, input_poison);
  buffer->upload(data);
  held_.push_back({std::move(buffer), {data.begin(), data.end()}});
  return *held_.back().buffer;
}

device::Buffer& DeviceBuffers::output(const std::string& name, std::size_t bytes, std::uint8_t poison) {
  held_.push_back({device_.allocate(name, bytes, device::Access::output, poison), {}});
  return *held_.back().buffer;
}

void DeviceBuffers::change(const device::Buffer& input, std::span<const std::byte> data) {
  const auto held = std::ranges::find_if(held_, [&](const Held& h) { return h.buffer.get() == &input; });
  if (held == held_.end() || data.size() != held->contents.size())
    throw std::logic_error("an input is changed that is not held, or by another size");
  held->buffer->upload(data);
  held->contents.assign(data.begin(), data.end());
}

void DeviceBuffers::inspect_guards() {
  for (const Held& held : held_) {
    const auto offset = held.buffer->damaged_guard();
    damaged_.push_back(offset ? 1 : 0);
    if (offset)
      damage_ += fmt::format("{} of {} bytes written at offset {}; ", held.buffer->name(),
                             held.buffer->bytes(), *offset);
  }
}

BufferChecks DeviceBuffers::guards() const {
  return flags("guards", damaged_, damage_);
}

BufferChecks DeviceBuffers::inputs() const {
  std::vector<std::uint8_t> changed;
  std::string note;
  for (const Held& held : held_) {
    if (held.buffer->access() != device::Access::input) continue;
    std::vector<std::byte> now(held.buffer->bytes());
    held.buffer->download(now);
    const auto [first, was] = std::ranges::mismatch(now, held.contents);
    changed.push_back(first != now.end() ? 1 : 0);
    if (first != now.end())
      note += fmt::format("input {} changed at byte {}; ", held.buffer->name(), first - now.begin());
  }
  return flags("inputs unchanged", changed, note);
}

}  // namespace quadpair::run
