#include "harness/run/device_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "harness/compare/check.hpp"

namespace quadpair::run {
namespace {

constexpr std::uint8_t input_poison = 0xDB;

}  // namespace

void DeviceBuffers::Held::remember(std::span<const std::byte> data) {
  copy.assign(data.begin(), data.end());
  contents = copy;
}

bool DeviceBuffers::Held::unchanged() const {
  bool same = false;
  buffer->read([&](std::span<const std::byte> now) {
    same = now.size() == contents->size() &&
           (now.empty() || std::memcmp(now.data(), contents->data(), now.size()) == 0);
  });
  return same;
}

device::Buffer& DeviceBuffers::input(const std::string& name, std::span<const std::byte> data) {
  device::Buffer& buffer = lasting_input(name, data);
  held_.back().remember(data);
  return buffer;
}

device::Buffer& DeviceBuffers::lasting_input(const std::string& name, std::span<const std::byte> data) {
  auto buffer = device_.allocate(name, data.size(), device::Access::input, input_poison);
  buffer->upload(data);
  held_.push_back({std::move(buffer), data});
  return *held_.back().buffer;
}

device::Buffer& DeviceBuffers::output(const std::string& name, std::size_t bytes, std::uint8_t poison) {
  held_.push_back({device_.allocate(name, bytes, device::Access::output, poison), std::nullopt});
  return *held_.back().buffer;
}

device::Buffer& DeviceBuffers::scratch(const std::string& name, std::size_t bytes, std::uint8_t poison) {
  held_.push_back({device_.allocate(name, bytes, device::Access::scratch, poison), std::nullopt});
  return *held_.back().buffer;
}

void DeviceBuffers::freeze_outputs() {
  for (Held& held : held_) {
    if (held.contents || held.buffer->access() != device::Access::output) continue;
    held.buffer->read([&](std::span<const std::byte> data) { held.remember(data); });
  }
}

void DeviceBuffers::freeze(const device::Buffer& output, std::span<const std::byte> contents) {
  held(output).contents = contents;
}

void DeviceBuffers::change(const device::Buffer& input, std::span<const std::byte> data) {
  Held& held_input = held(input);
  if (!held_input.contents || data.size() != held_input.contents->size())
    throw std::logic_error("an input is changed by another size");
  inspect_input(held_input);  // what kernels wrote there until now would be lost
  held_input.buffer->upload(data);
  held_input.remember(data);
}

DeviceBuffers::Held& DeviceBuffers::held(const device::Buffer& buffer) {
  const auto held = std::ranges::find_if(held_, [&](const Held& h) { return h.buffer.get() == &buffer; });
  if (held == held_.end()) throw std::logic_error("a buffer that is not held");
  return *held;
}

BufferChecks DeviceBuffers::Findings::checks(std::string name) const {
  const std::vector<std::uint8_t> none(broken.size());
  return {compare::bitwise(std::move(name), none, broken), note};
}

void DeviceBuffers::inspect_input(const Held& held) {
  const bool same = held.unchanged();
  inputs_.broken.push_back(same ? 0 : 1);
  if (same) return;
  held.buffer->read([&](std::span<const std::byte> now) {
    inputs_.note += fmt::format("input {} changed at byte {}; ", held.buffer->name(),
                                std::ranges::mismatch(now, *held.contents).in1 - now.begin());
  });
}

bool DeviceBuffers::intact() const {
  return std::ranges::all_of(held_, [](const Held& held) {
    if (held.buffer->damaged_guard()) return false;
    return !held.contents || held.unchanged();
  });
}

void DeviceBuffers::restore() {
  for (const Held& held : held_)
    if (held.contents) held.buffer->upload(*held.contents);
}

void DeviceBuffers::inspect() {
  for (const Held& held : held_) {
    const auto offset = held.buffer->damaged_guard();
    guards_.broken.push_back(offset ? 1 : 0);
    if (offset)
      guards_.note += fmt::format("guard of {} ({} bytes) damaged at offset {}; ", held.buffer->name(),
                                  held.buffer->bytes(), *offset);
    if (held.contents) inspect_input(held);
  }
}

}  // namespace quadpair::run
