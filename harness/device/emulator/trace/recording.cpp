#include "harness/device/emulator/trace/recording.hpp"

#include <cstring>
#include <utility>

#include "harness/device/emulator/lanes.hpp"

namespace quadpair::emulator {

void Recorder::begin_block(const Dim3& block) {
  current_.block = block;
  current_.captures.clear();
  current_.words.clear();
  stored_ = false;
}

void Recorder::end_block() {
  if (!stored_) return;
  kept_ = std::exchange(current_, {});
  kept_stored_ = true;
}

void Recorder::capture(const Capture& at, const std::byte* file, const std::uint32_t* list,
                       std::uint32_t store_bytes, std::uint64_t displacement) {
  std::vector<std::uint32_t>& words = current_.words;
  current_.captures.push_back(at);
  current_.captures.back().words = words.size();
  for (std::uint32_t i = 0; i < list[0]; ++i) {
    const std::byte* from = file + list[1 + 2 * i];
    const std::uint32_t bits = list[2 + 2 * i];
    const std::size_t to = words.size();
    words.resize(to + (bits == 1 ? 1 : bits == 64 ? 2 * kWarpLanes : kWarpLanes));
    for (std::uint32_t lane = 0; lane < (bits == 1 ? 1 : kWarpLanes); ++lane) {
      std::uint64_t value = 0;
      std::memcpy(&value, from + lane * bits / 8, bits == 1 ? 4 : bits / 8);
      words[to + lane] = static_cast<std::uint32_t>(value);
      if (bits == 64) words[to + kWarpLanes + lane] = static_cast<std::uint32_t>(value >> 32);
      if (i == 0 && store_bytes != 0 && (at.lanes >> lane & 1) != 0)
        stored_ = stored_ || watched_ - (value + displacement) < store_bytes;
    }
  }
}

void Recorder::capture_product(const Capture& at, const std::byte* file, std::span<const std::uint32_t> sums,
                               std::span<const std::uint32_t> staged) {
  std::vector<std::uint32_t>& words = current_.words;
  current_.captures.push_back(at);
  current_.captures.back().words = words.size();
  for (const std::uint32_t offset : sums) {
    words.resize(words.size() + kWarpLanes);
    std::memcpy(words.data() + words.size() - kWarpLanes, file + offset, kWarpLanes * sizeof(std::uint32_t));
  }
  words.insert(words.end(), staged.begin(), staged.end());
}

}  // namespace quadpair::emulator
