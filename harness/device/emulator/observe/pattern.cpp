#include "harness/device/emulator/observe/pattern.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>

#include "harness/device/emulator/instruction.hpp"

namespace quadpair::emulator {
namespace {

constexpr std::uint64_t kFar = 1u << 30;  ///< from lane to lane
constexpr std::uint32_t banks = 32, bank_bytes = 4, phase_bytes = banks * bank_bytes;
constexpr std::size_t most_places = 2 * kWarpLanes;  ///< words that lanes served at once want, or lanes

/// Calls act(lane) for each of the lanes, in ascending order.
template <class Act>
void for_each(std::uint32_t lanes, Act act) {
  for (; lanes != 0; lanes &= lanes - 1) act(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

/// Up to `most_places` values, each once.
class Different {
 public:
  void add(std::uint64_t value) { values_[count_++] = value; }
  std::span<const std::uint64_t> values() {
    const auto end = values_.begin() + count_;
    std::sort(values_.begin(), end);
    return {values_.begin(), std::unique(values_.begin(), end)};
  }

 private:
  std::array<std::uint64_t, most_places> values_;
  std::ptrdiff_t count_ = 0;
};

/// Words that a group of lanes wants of its busiest bank, less one.
std::uint32_t conflicts_of(const std::uint64_t* addresses, std::uint64_t displacement, std::uint32_t lanes,
                           std::uint32_t bytes) {
  Different words;
  for_each(lanes, [&](std::uint32_t lane) {
    const std::uint64_t address = addresses[lane] + displacement;
    for (std::uint64_t byte = 0; byte < bytes; byte += bank_bytes) words.add((address + byte) / bank_bytes);
  });
  std::array<std::uint32_t, banks> wanted{};
  for (const std::uint64_t word : words.values()) ++wanted[word % banks];
  const std::uint32_t most = *std::ranges::max_element(wanted);
  return most == 0 ? 0 : most - 1;
}

/// Whether both lanes of every pair `apart` want the same place, or at most one of them any.
bool agree(const std::uint64_t* addresses, std::uint32_t lanes, std::uint32_t apart) {
  bool same = true;
  for_each(lanes, [&](std::uint32_t lane) {
    const std::uint32_t other = lane ^ apart;
    if ((lanes >> other & 1) != 0) same &= addresses[lane] == addresses[other];
  });
  return same;
}

void count_shared(AccessPattern& pattern, const Access& access, const std::uint64_t* addresses,
                  std::uint64_t displacement) {
  const std::uint32_t lanes = pattern.shared_lanes;
  std::uint32_t group = std::min(kWarpLanes, phase_bytes / access.bytes);
  const bool reads = !access.store && !access.whole_warp;
  if (reads && group < kWarpLanes && (agree(addresses, lanes, 1) || agree(addresses, lanes, 2))) group *= 2;
  const std::uint32_t first = group == kWarpLanes ? kAllLanes : (1u << group) - 1;
  for (std::uint32_t lane = 0; lane < kWarpLanes; lane += group)
    pattern.conflicts += conflicts_of(addresses, displacement, lanes & first << lane, access.bytes);
}

/// Accesses are as long as they are aligned: two of them coincide or are apart, and each is in one sector.
std::uint32_t fewest_sectors(const AccessPattern& pattern, std::uint32_t bytes) {
  Different places;
  for_each(pattern.global_lanes, [&](std::uint32_t lane) { places.add(pattern.deltas[lane]); });
  return static_cast<std::uint32_t>((places.values().size() * bytes + kSectorBytes - 1) / kSectorBytes);
}

void find_spans(AccessPattern& pattern, std::uint32_t lanes, std::uint32_t bytes) {
  std::array<std::pair<std::int64_t, std::uint32_t>, kWarpLanes> each;  // offset, lane
  std::size_t count = 0;
  for_each(lanes, [&](std::uint32_t lane) {
    each[count++] = {static_cast<std::int64_t>(pattern.deltas[lane]), lane};
  });
  const bool sorted = std::is_sorted(each.begin(), each.begin() + count);
  if (!sorted) std::sort(each.begin(), each.begin() + count);
  Span* last = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const auto offset = static_cast<std::int32_t>(each[i].first);
    if (last != nullptr && offset <= last->offset + last->bytes) {
      last->bytes = static_cast<std::uint16_t>(
          std::max<std::int32_t>(last->bytes, offset + static_cast<std::int32_t>(bytes) - last->offset));
    } else {
      last = &pattern.all_spans[pattern.span_count++];
      *last = {offset, static_cast<std::uint16_t>(bytes), static_cast<std::uint16_t>(each[i].second)};
    }
  }
  for (const Span& span : pattern.spans()) pattern.covered += span.bytes;
  pattern.in_order = sorted && pattern.span_count == 1 && pattern.covered == kWarpLanes * bytes;
  pattern.low = pattern.all_spans[0].offset;
  pattern.extent = static_cast<std::uint64_t>(last->offset - pattern.low) + last->bytes;
}

}  // namespace

std::uint32_t sectors(AccessPattern& pattern, std::uint64_t address) {
  std::uint8_t& known = pattern.sectors_at[address % kSectorBytes];
  if (known == 0) {
    Different each;
    for_each(pattern.global_lanes, [&](std::uint32_t lane) {
      each.add((address % kSectorBytes + pattern.deltas[lane]) / kSectorBytes);
    });
    known = static_cast<std::uint8_t>(each.values().size());
  }
  return known;
}

AccessPattern make_pattern(const Access& access, const std::uint64_t* addresses, std::uint64_t displacement,
                           std::uint32_t lanes) {
  AccessPattern pattern;
  const std::uint64_t first = addresses[std::countr_zero(lanes)];
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) pattern.deltas[lane] = addresses[lane] - first;
  pattern.lanes = lanes;
  pattern.place = first + displacement;
  if (access.space != Space::global) pattern.place_mask = bank_bytes - 1;
  if (access.space == Space::generic) pattern.place_mask |= kSharedWindow;
  const std::uint32_t counted = lanes & access.lanes;
  bool near = true, aligned = true;
  for_each(counted, [&](std::uint32_t lane) {
    const std::uint64_t delta = pattern.deltas[lane];
    near &= delta + kFar < 2 * kFar;
    aligned &= delta % access.bytes == 0;
    const bool shared = access.space == Space::shared ||
                        (access.space == Space::generic && addresses[lane] + displacement >= kSharedWindow);
    (shared ? pattern.shared_lanes : pattern.global_lanes) |= 1u << lane;
  });
  pattern.together =
      near && aligned && (pattern.shared_lanes == 0 || pattern.shared_lanes == counted) && counted != 0;
  if (near && counted != 0) find_spans(pattern, counted, access.bytes);
  count_shared(pattern, access, addresses, displacement);
  pattern.fewest = fewest_sectors(pattern, access.bytes);
  return pattern;
}

}  // namespace quadpair::emulator
