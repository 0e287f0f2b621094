#include "harness/run/device_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "harness/compare/check.hpp"

namespace quadpair::run {
namespace {

constexpr std::uint8_t input_poison = 0xDB;

/// memcmp takes no null pointer, and `==` goes byte by byte.
bool same_bytes(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace

device::Buffer& DeviceBuffers::input(const std::string& name, std::span<const std::byte> data) {
  auto buffer = device_.allocate(name, data.size(), device::Access::input, input_poison);
  buffer->upload(data);
  held_.push_back({std::move(buffer), std::vector(data.begin(), data.end())});
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
    held.contents.emplace(held.buffer->bytes());
    held.buffer->download(*held.contents);
  }
}

void DeviceBuffers::change(const device::Buffer& input, std::span<const std::byte> data) {
  const auto held = std::ranges::find_if(held_, [&](const Held& h) { return h.buffer.get() == &input; });
  if (held == held_.end() || !held->contents || data.size() != held->contents->size())
    throw std::logic_error("an input is changed that is not held, or by another size");
  inspect_input(*held);  // what kernels wrote there until now would be lost
  held->buffer->upload(data);
  held->contents->assign(data.begin(), data.end());
}

BufferChecks DeviceBuffers::Findings::checks(std::string name) const {
  const std::vector<std::uint8_t> none(broken.size());
  return {compare::bitwise(std::move(name), none, broken), note};
}

void DeviceBuffers::inspect_input(const Held& held) {
  std::vector<std::byte> now(held.buffer->bytes());
  held.buffer->download(now);
  const bool same = same_bytes(now, *held.contents);
  inputs_.broken.push_back(same ? 0 : 1);
  if (!same)
    inputs_.note += fmt::format("input {} changed at byte {}; ", held.buffer->name(),
                                std::ranges::mismatch(now, *held.contents).in1 - now.begin());
}

bool DeviceBuffers::intact() const {
  return std::ranges::all_of(held_, [](const Held& held) {
    if (held.buffer->damaged_guard()) return false;
    if (!held.contents) return true;
    std::vector<std::byte> now(held.buffer->bytes());
    held.buffer->download(now);
    return same_bytes(now, *held.contents);
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
