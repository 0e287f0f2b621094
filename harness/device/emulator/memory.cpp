#include "harness/device/emulator/memory.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/kernel.hpp"

namespace quadpair::emulator {

std::uint64_t Memory::add(Region region) {
  std::uint64_t window = 1;
  auto at = regions_.begin();
  while (at != regions_.end() && at->begin / kBufferWindow == window) ++at, ++window;
  if (window >= kSharedWindow / kBufferWindow) throw std::length_error("too many buffers");
  region.begin = window * kBufferWindow + kBufferWindow / 2;
  return regions_.insert(at, std::move(region))->begin;
}

void Memory::remove(std::uint64_t begin) {
  std::erase_if(regions_, [&](const Region& region) { return region.begin == begin; });
}

const Region* Memory::find(std::uint64_t address, std::uint64_t bytes) const {
  const auto after = std::ranges::upper_bound(regions_, address, {}, &Region::begin);
  if (after == regions_.begin()) return nullptr;
  const Region& region = *std::prev(after);
  const std::uint64_t offset = address - region.begin;
  return bytes <= region.bytes && offset <= region.bytes - bytes ? &region : nullptr;
}

std::string Memory::describe(std::uint64_t address) const {
  if (regions_.empty()) return "there are no buffers";
  const auto distance = [&](const Region& region) {
    if (address < region.begin) return region.begin - address;
    const std::uint64_t end = region.begin + region.bytes;
    return address < end ? 0 : address - end + 1;
  };
  const Region& region = *std::ranges::min_element(regions_, {}, distance);
  const auto offset = static_cast<std::int64_t>(address - region.begin);
  if (distance(region) == 0)
    return fmt::format("offset {} of buffer '{}' ({} bytes)", offset, region.name, region.bytes);
  if (offset < 0)
    return fmt::format("{} bytes before buffer '{}' ({} bytes)", -offset, region.name, region.bytes);
  return fmt::format("offset {}, {} bytes past the end of buffer '{}' ({} bytes)", offset,
                     static_cast<std::uint64_t>(offset) - region.bytes, region.name, region.bytes);
}

std::string why_refused(const Context& context, std::uint64_t address, std::uint32_t bytes,
                        std::uint32_t align, std::uint32_t flags, const Region*& region) {
  const bool in_window = (flags & AccessFlags::generic) != 0 && address >= kSharedWindow;
  const auto because = [&](const std::string& why) {
    return fmt::format("{} of {} bytes at {}address {:#x}: {}",
                       (flags & AccessFlags::store) != 0 ? "write" : "read", bytes,
                       (flags & AccessFlags::shared) != 0 ? "shared " : "", address, why);
  };
  region = nullptr;
  if ((flags & AccessFlags::shared) != 0 || in_window) {
    const std::uint64_t offset = in_window ? address - kSharedWindow : address;
    if (bytes > context.shared_bytes || offset > context.shared_bytes - bytes)
      return because(fmt::format("outside the block's {} bytes of shared memory", context.shared_bytes));
    return offset % align != 0 ? because("misaligned") : "";
  }
  region = context.memory->find(address, bytes);
  if (region == nullptr) return because("outside every buffer: " + context.memory->describe(address));
  if (address % align != 0) return because("misaligned: " + context.memory->describe(address));
  if ((flags & AccessFlags::store) != 0 && !region->writable)
    return because("the buffer is an input: " + context.memory->describe(address));
  return "";
}

std::uint64_t check_lane(const Instruction* ip, Context* context, std::uint32_t lane, std::uint64_t address,
                         std::uint32_t bytes, std::uint32_t align, std::uint32_t flags) {
  const Region* region = nullptr;
  const std::string why = why_refused(*context, address, bytes, align, flags, region);
  if (!why.empty()) throw_fault(ip, *context, 1u << lane, why);
  if (region == nullptr) return reinterpret_cast<std::uint64_t>(context->shared) + address % kSharedWindow;
  context->ranges[ip->site] = region->range();
  return address + region->range().to_host;
}

void check_parameter(const Instruction* ip, const Context& context, std::uint32_t lane, std::uint64_t offset,
                     std::uint32_t bytes) {
  const std::uint32_t size = context.kernel->parameter_bytes;
  if (bytes <= size && offset <= size - bytes && offset % bytes == 0) return;
  throw_fault(ip, context, 1u << lane,
              fmt::format("read of {} bytes at offset {} of {} bytes of parameters: {}", bytes, offset, size,
                          offset % bytes == 0 ? "outside" : "misaligned"));
}

void check_lanes(const Instruction* ip, Context* context, const std::uint64_t* addresses, std::uint32_t lanes,
                 std::uint32_t bytes, std::uint64_t* hosts) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    hosts[lane] = check_lane(ip, context, lane, addresses[lane] + ip->immediate, bytes, bytes, ip->e);
  }
}

}  // namespace quadpair::emulator
