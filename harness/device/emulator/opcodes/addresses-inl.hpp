// Where the lanes of a warp access memory, and whether all of them may. Compiled per target.

#if defined(QUADPAIR_EMULATOR_ADDRESSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_EMULATOR_ADDRESSES_INL
#undef QUADPAIR_EMULATOR_ADDRESSES_INL
#else
#define QUADPAIR_EMULATOR_ADDRESSES_INL
#endif

#include <bit>

#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/opcodes/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

struct alignas(64) LaneAddresses {
  std::uint64_t at[kWarpLanes];
};

template <std::uint64_t Bytes>
constexpr LaneAddresses lane_steps = [] {
  LaneAddresses steps{};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) steps.at[lane] = lane * Bytes;
  return steps;
}();

/// The lanes' addresses without the displacement; written to `scratch` unless a 64-bit register holds them.
/// Lanes that are not active get the first active one's. `offset` is the address register's, `flags` are
/// AccessFlags.
template <bool Full>
HWY_INLINE const std::uint64_t* lane_addresses(std::uint32_t offset, std::uint32_t flags, std::byte* file,
                                               const Context* context, LaneAddresses& scratch) {
  const std::uint64_t* addresses = lanes_at<std::uint64_t>(file, offset);
  if (flags & (AccessFlags::narrow_address | AccessFlags::no_register)) {
    const bool none = flags & AccessFlags::no_register;
    const std::uint32_t* narrow = lanes_at<std::uint32_t>(file, offset);
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) scratch.at[lane] = none ? 0 : narrow[lane];
    addresses = scratch.at;
  }
  if constexpr (!Full) {
    const Tag<std::uint64_t> d;
    const auto first = hn::Set(d, addresses[std::countr_zero(context->active)]);
    for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
      hn::Store(hn::IfThenElse(mask_of(d, context->active, i), hn::Load(d, addresses + i), first), d,
                scratch.at + i);
    addresses = scratch.at;
  }
  return addresses;
}

template <std::uint32_t Bytes>
HWY_INLINE bool consecutive(const std::uint64_t* addresses) {
  const Tag<std::uint64_t> d;
  const auto first = hn::Set(d, addresses[0]);
  auto differs = hn::Zero(d);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    differs = hn::Or(
        differs, hn::Xor(hn::Load(d, addresses + i), hn::Add(first, hn::Load(d, lane_steps<Bytes>.at + i))));
  return hn::AllTrue(d, hn::Eq(differs, hn::Zero(d)));
}

/// Whether every lane's access lies in the range and is aligned (ranges begin aligned).
template <std::uint32_t Bytes>
HWY_INLINE bool all_within(const std::uint64_t* addresses, std::uint64_t displacement, const Range& range) {
  if (range.bytes < Bytes) return false;
  const Tag<std::uint64_t> d;
  const auto origin = hn::Set(d, displacement - range.begin);
  const auto limit = hn::Set(d, range.bytes - Bytes);
  auto outside = hn::Zero(d), misaligned = hn::Zero(d);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    const auto offset = hn::Add(hn::Load(d, addresses + i), origin);
    outside = hn::Or(outside, hn::Or(offset, hn::Sub(limit, offset)));  // the sign bit tells
    misaligned = hn::Or(misaligned, offset);
  }
  const auto bad =
      hn::Or(hn::And(outside, hn::Set(d, 1ull << 63)), hn::And(misaligned, hn::Set(d, Bytes - 1)));
  return hn::AllTrue(d, hn::Eq(bad, hn::Zero(d)));
}

HWY_INLINE bool span_within(std::uint64_t first, std::uint64_t bytes, std::uint64_t align,
                            const Range& range) {
  return bytes <= range.bytes && first - range.begin <= range.bytes - bytes && (first & (align - 1)) == 0;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
