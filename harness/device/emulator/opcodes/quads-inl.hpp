// Loads of four 32-bit words a lane from anywhere. Compiled per target.

#if defined(QUADPAIR_EMULATOR_QUADS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_EMULATOR_QUADS_INL
#undef QUADPAIR_EMULATOR_QUADS_INL
#else
#define QUADPAIR_EMULATOR_QUADS_INL
#endif

#include "harness/device/emulator/opcodes/addresses-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR
template <class D>
HWY_INLINE hn::Vec<D> four_blocks(D d, const std::byte* const* from) {
  constexpr std::size_t blocks = hn::MaxLanes(d) / 4;
  if constexpr (blocks == 1) {
    return hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(from[0]));
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, four_blocks(half, from + 4 * blocks / 2), four_blocks(half, from));
  }
}

/// Whether the addresses of four lanes are those of each four that follow, up to `count`.
HWY_INLINE bool repeat_in_fours(const std::uint64_t* addresses, std::size_t count) {
  const hn::CappedTag<std::uint64_t, 4> d;
  auto differs = hn::Zero(d);
  for (std::size_t i = 0; i < 4; i += hn::Lanes(d)) {
    const auto four = hn::Load(d, addresses + i);
    for (std::size_t k = 4; k < count; k += 4)
      differs = hn::Or(differs, hn::Xor(four, hn::Load(d, addresses + i + k)));
  }
  return hn::AllTrue(d, hn::Eq(differs, hn::Zero(d)));
}

/// 16 bytes from wherever each lane points, transposed into four registers.
template <bool Full>
HWY_INLINE void gather_quads(const Instruction* ip, std::byte* file, const std::uint64_t* addresses,
                             std::uint64_t displacement, const Context* context) {
  const Tag<std::uint32_t> d;
  const hn::Repartition<std::uint64_t, Tag<std::uint32_t>> d64;
  const auto pairs = [&](auto v) { return hn::BitCast(d64, v); };
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    hn::Vec<Tag<std::uint32_t>> z[4];
    // The rows of an m8n8k4 fragment are the same in each quad pair.
    const bool repeated = repeat_in_fours(addresses + i, hn::Lanes(d));
    for (std::size_t q = 0; q < 4; ++q) {
      if (repeated) {
        z[q] = hn::LoadDup128(d, reinterpret_cast<const std::uint32_t*>(addresses[i + q] + displacement));
        continue;
      }
      const std::byte* from[hn::MaxLanes(d)];
      for (std::size_t b = 0; b < hn::MaxLanes(d); b += 4)
        from[b] = reinterpret_cast<const std::byte*>(addresses[i + b + q] + displacement);
      z[q] = four_blocks(d, from);
    }
    const auto low01 = pairs(hn::InterleaveLower(d, z[0], z[1]));
    const auto low23 = pairs(hn::InterleaveLower(d, z[2], z[3]));
    const auto high01 = pairs(hn::InterleaveUpper(d, z[0], z[1]));
    const auto high23 = pairs(hn::InterleaveUpper(d, z[2], z[3]));
    store<Full>(d, hn::BitCast(d, hn::InterleaveLower(d64, low01, low23)), file, ip->list[0], i, context);
    store<Full>(d, hn::BitCast(d, hn::InterleaveUpper(d64, low01, low23)), file, ip->list[1], i, context);
    store<Full>(d, hn::BitCast(d, hn::InterleaveLower(d64, high01, high23)), file, ip->list[2], i, context);
    store<Full>(d, hn::BitCast(d, hn::InterleaveUpper(d64, high01, high23)), file, ip->list[3], i, context);
  }
}
#endif

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
