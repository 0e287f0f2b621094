#include "harness/device/emulator/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

namespace quadpair::emulator {
namespace {

constexpr std::align_val_t kAlignment{4096};
constexpr std::byte kGuardPattern{0xb7};

/// Memory is written by several threads: when it is new, most of the time goes to the system, page by page.
template <class Write>
void in_parts(std::size_t bytes, const Write& write) {
  constexpr std::size_t part = std::size_t{1} << 18;
  tbb::parallel_for(std::size_t{0}, (bytes + part - 1) / part,
                    [&](std::size_t i) { write(i * part, std::min(part, bytes - i * part)); });
}

}  // namespace

void GuardedBuffer::AlignedDelete::operator()(std::byte* storage) const {
  ::operator delete[](storage, kAlignment);
}

GuardedBuffer::GuardedBuffer(std::shared_ptr<Memory> memory, std::string name, std::size_t bytes,
                             device::Access access, std::uint8_t poison)
    : memory_(std::move(memory)), name_(std::move(name)), bytes_(bytes), access_(access) {
  const std::size_t total = bytes_ + 2 * kGuardBytes;
  storage_.reset(static_cast<std::byte*>(::operator new[](total, kAlignment)));
  std::fill_n(storage_.get(), kGuardBytes, kGuardPattern);
  std::fill_n(data() + bytes_, kGuardBytes, kGuardPattern);
  if (memory_->notes_writes()) written_.emplace(bytes_);
  fill(poison);
  address_ = memory_->add({.bytes = bytes_,
                           .host = data(),
                           .writable = access_ != device::Access::input,
                           .name = name_,
                           .written = written_ ? &*written_ : nullptr});
}

GuardedBuffer::~GuardedBuffer() {
  memory_->remove(address_);
}

void GuardedBuffer::check_range(const char* what, std::size_t size, std::size_t offset) const {
  if (offset > bytes_ || size > bytes_ - offset)
    throw std::out_of_range(fmt::format("{} of {} bytes at offset {} of buffer '{}' ({} bytes)", what, size,
                                        offset, name_, bytes_));
}

void GuardedBuffer::upload(std::span<const std::byte> source, std::size_t offset) {
  check_range("upload", source.size(), offset);
  in_parts(source.size(), [&](std::size_t at, std::size_t size) {
    std::memcpy(data() + offset + at, source.data() + at, size);
  });
  if (written_) written_->add(offset, source.size());
}

void GuardedBuffer::download(std::span<std::byte> target, std::size_t offset) const {
  check_range("download", target.size(), offset);
  std::copy_n(data() + offset, target.size(), target.data());
}

void GuardedBuffer::fill(std::uint8_t pattern) {
  in_parts(bytes_, [&](std::size_t at, std::size_t size) { std::memset(data() + at, pattern, size); });
  if (written_) written_->clear();
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
