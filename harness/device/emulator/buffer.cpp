#include "harness/device/emulator/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

namespace quadpair::emulator {
namespace {

constexpr std::align_val_t kAlignment{4096};
constexpr std::byte kGuardPattern{0xb7};

}  // namespace

void GuardedBuffer::AlignedDelete::operator()(std::byte* storage) const {
  ::operator delete[](storage, kAlignment);
}

GuardedBuffer::GuardedBuffer(std::shared_ptr<Memory> memory, std::string name, std::size_t bytes,
                             device::Access access, std::uint8_t poison)
    : memory_(std::move(memory)), name_(std::move(name)), bytes_(bytes), access_(access) {
  const std::size_t total = bytes_ + 2 * kGuardBytes;
  storage_.reset(static_cast<std::byte*>(::operator new[](total, kAlignment)));
  std::memset(storage_.get(), std::to_integer<int>(kGuardPattern), total);
  fill(poison);
  memory_->add({address(), bytes_, access_ != device::Access::input, name_});
}

GuardedBuffer::~GuardedBuffer() {
  memory_->remove(address());
}

DevicePtr GuardedBuffer::address() const {
  return reinterpret_cast<DevicePtr>(data());
}

void GuardedBuffer::check_range(const char* what, std::size_t size, std::size_t offset) const {
  if (offset > bytes_ || size > bytes_ - offset)
    throw std::out_of_range(fmt::format("{} of {} bytes at offset {} of buffer '{}' ({} bytes)", what, size,
                                        offset, name_, bytes_));
}

void GuardedBuffer::upload(std::span<const std::byte> source, std::size_t offset) {
  check_range("upload", source.size(), offset);
  std::ranges::copy(source, data() + offset);
}

void GuardedBuffer::download(std::span<std::byte> target, std::size_t offset) const {
  check_range("download", target.size(), offset);
  std::copy_n(data() + offset, target.size(), target.data());
}

void GuardedBuffer::fill(std::uint8_t pattern) {
  std::fill_n(data(), bytes_, std::byte{pattern});
}

std::optional<std::int64_t> GuardedBuffer::damaged_guard() const {
  const auto damaged = [](std::byte value) { return value != kGuardPattern; };
  const std::byte* before = std::find_if(storage_.get(), data(), damaged);
  if (before != data()) return before - data();
  const std::byte* end = data() + bytes_;
  const std::byte* after = std::find_if(end, end + kGuardBytes, damaged);
  if (after != end + kGuardBytes) return after - data();
  return std::nullopt;
}

}  // namespace quadpair::emulator
