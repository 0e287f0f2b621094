// Loads and stores: one range check for the warp, consecutive addresses as vectors, lanes one by one
// otherwise. Compiled per target.

#if defined(QUADPAIR_EMULATOR_MEMORY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_EMULATOR_MEMORY_INL
#undef QUADPAIR_EMULATOR_MEMORY_INL
#else
#define QUADPAIR_EMULATOR_MEMORY_INL
#endif

#include "harness/device/emulator/opcodes/quads-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

HWY_INLINE std::uint32_t element_offset(const Instruction* ip, int count, int k) {
  return count == 1 ? ip->d : ip->list[k];
}

template <class E, class R>
HWY_INLINE R widened(E value) {  // sign-extends signed elements
  return static_cast<R>(
      static_cast<std::conditional_t<std::is_signed_v<E>, std::make_signed_t<R>, R>>(value));
}

/// Loads 32 x N consecutive elements into N registers.
template <class E, class R, int N>
HWY_INLINE void load_consecutive(const Instruction* ip, std::byte* file, const std::byte* from) {
  if constexpr (N == 1 && sizeof(E) < sizeof(R) && sizeof(R) <= 4) {
    using Wide = std::conditional_t<std::is_signed_v<E>, std::make_signed_t<R>, R>;
    const Tag<Wide> d;
    const hn::Rebind<E, Tag<Wide>> narrow;
    for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
      hn::Store(hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const E*>(from) + i)), d,
                lanes_at<Wide>(file, ip->d) + i);
  } else if constexpr (sizeof(E) != sizeof(R)) {
    for (int k = 0; k < N; ++k) {
      R* HWY_RESTRICT to = lanes_at<R>(file, element_offset(ip, N, k));
      for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
        E value;
        std::memcpy(&value, from + (lane * N + k) * sizeof(E), sizeof value);
        to[lane] = widened<E, R>(value);
      }
    }
  } else {
    const Tag<R> d;
    const R* source = reinterpret_cast<const R*>(from);
    for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
      if constexpr (N == 1) {
        hn::Store(hn::LoadU(d, source + i), d, lanes_at<R>(file, ip->d) + i);
      } else if constexpr (N == 2) {
        hn::Vec<Tag<R>> v0, v1;
        hn::LoadInterleaved2(d, source + 2 * i, v0, v1);
        hn::Store(v0, d, lanes_at<R>(file, ip->list[0]) + i);
        hn::Store(v1, d, lanes_at<R>(file, ip->list[1]) + i);
      } else {
        hn::Vec<Tag<R>> v0, v1, v2, v3;
        hn::LoadInterleaved4(d, source + 4 * i, v0, v1, v2, v3);
        hn::Store(v0, d, lanes_at<R>(file, ip->list[0]) + i);
        hn::Store(v1, d, lanes_at<R>(file, ip->list[1]) + i);
        hn::Store(v2, d, lanes_at<R>(file, ip->list[2]) + i);
        hn::Store(v3, d, lanes_at<R>(file, ip->list[3]) + i);
      }
    }
  }
}

template <class E, class R, int N, bool Full>
HWY_INLINE void load_lanes(const Instruction* ip, std::byte* file, const std::uint64_t* addresses,
                           std::uint64_t displacement, const Context* context) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (N == 4 && sizeof(E) == 4 && sizeof(R) == 4) {
    gather_quads<Full>(ip, file, addresses, displacement, context);
    return;
  }
#endif
  R* to[N];
  for (int k = 0; k < N; ++k) to[k] = lanes_at<R>(file, element_offset(ip, N, k));
#pragma GCC unroll 4
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if (!Full && (context->active >> lane & 1) == 0) continue;
    E values[N];
    std::memcpy(values, reinterpret_cast<const std::byte*>(addresses[lane] + displacement), sizeof values);
    for (int k = 0; k < N; ++k) to[k][lane] = widened<E, R>(values[k]);
  }
}

template <class E, class R, int N>
HWY_INLINE void store_consecutive(const Instruction* ip, std::byte* file, std::byte* to) {
  if constexpr (sizeof(E) != sizeof(R)) {
    for (int k = 0; k < N; ++k) {
      const R* HWY_RESTRICT from = lanes_at<R>(file, element_offset(ip, N, k));
      for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
        const E value = static_cast<E>(from[lane]);
        std::memcpy(to + (lane * N + k) * sizeof(E), &value, sizeof value);
      }
    }
  } else {
    const Tag<R> d;
    R* target = reinterpret_cast<R*>(to);
    for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
      const auto source = [&](int k) { return load(d, file, element_offset(ip, N, k), i); };
      if constexpr (N == 1)
        hn::StoreU(source(0), d, target + i);
      else if constexpr (N == 2)
        hn::StoreInterleaved2(source(0), source(1), d, target + 2 * i);
      else
        hn::StoreInterleaved4(source(0), source(1), source(2), source(3), d, target + 4 * i);
    }
  }
}

/// Lanes in ascending order: the highest wins where several store to one place.
template <class E, class R, int N, bool Full>
HWY_INLINE void store_to_lanes(const Instruction* ip, std::byte* file, const std::uint64_t* addresses,
                               std::uint64_t displacement, const Context* context) {
  const R* from[N];
  for (int k = 0; k < N; ++k) from[k] = lanes_at<R>(file, element_offset(ip, N, k));
#pragma GCC unroll 4
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if (!Full && (context->active >> lane & 1) == 0) continue;
    E values[N];
    for (int k = 0; k < N; ++k) values[k] = static_cast<E>(from[k][lane]);
    std::memcpy(reinterpret_cast<std::byte*>(addresses[lane] + displacement), values, sizeof values);
  }
}

template <bool Store, class E, class R, int N, bool Full>
HWY_NOINLINE void access_checked(const Instruction* ip, std::byte* file, Context* context) {
  LaneAddresses scratch, hosts;
  const std::uint64_t* addresses = lane_addresses<Full>(ip->a, ip->e, file, context, scratch);
  check_lanes(ip, context, addresses, Full ? kAllLanes : context->active, N * sizeof(E), hosts.at);
  if constexpr (!Full)  // lanes that are not active read what the first active one does
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
      if ((context->active >> lane & 1) == 0) hosts.at[lane] = hosts.at[std::countr_zero(context->active)];
  if constexpr (Store)
    store_to_lanes<E, R, N, Full>(ip, file, hosts.at, 0, context);
  else
    load_lanes<E, R, N, Full>(ip, file, hosts.at, 0, context);
}

/// Both checks of the whole warp, and the access; false when they failed and nothing was done. `addresses`
/// lack the displacement.
template <bool Store, bool Shared, class E, class R, int N, bool Full>
HWY_INLINE bool access_at(const std::uint64_t* addresses, const Instruction* ip, std::byte* file,
                          Context* context) {
  constexpr std::uint32_t bytes = N * sizeof(E);
  const Range range = Shared ? Range{0, context->shared_bytes} : context->ranges[ip->site];
  const std::uint64_t base = Shared ? reinterpret_cast<std::uint64_t>(context->shared) : range.to_host;
  if (Full && consecutive<bytes>(addresses)) {
    const std::uint64_t first = addresses[0] + ip->immediate;
    if (!span_within(first, kWarpLanes * bytes, bytes, range)) return false;
    if constexpr (Store)
      store_consecutive<E, R, N>(ip, file, reinterpret_cast<std::byte*>(base + first));
    else
      load_consecutive<E, R, N>(ip, file, reinterpret_cast<const std::byte*>(base + first));
    return true;
  }
  if (!all_within<bytes>(addresses, ip->immediate, range)) return false;
  if constexpr (Store)
    store_to_lanes<E, R, N, Full>(ip, file, addresses, base + ip->immediate, context);
  else
    load_lanes<E, R, N, Full>(ip, file, addresses, base + ip->immediate, context);
  return true;
}

template <bool Store, int N, class Domain>
HWY_INLINE void tell_access(const Instruction* ip, Context* context) {
  for (int k = 0; k < N; ++k)
    if constexpr (Store)
      Domain::read(ip, context, element_offset(ip, N, k));
    else
      Domain::write(ip, context, element_offset(ip, N, k));
}

/// Of any lanes, with any kind of address.
template <bool Store, bool Shared, class E, class R, int N, bool Full, class Domain>
HWY_NOINLINE const Instruction* access_any(const Instruction* ip, std::byte* file, Context* context) {
  if ((ip->e & AccessFlags::no_register) == 0) Domain::read(ip, context, ip->a);
  LaneAddresses scratch;
  const std::uint64_t* addresses = lane_addresses<Full>(ip->a, ip->e, file, context, scratch);
  if (!access_at<Store, Shared, E, R, N, Full>(addresses, ip, file, context))
    access_checked<Store, E, R, N, Full>(ip, file, context);
  tell_access<Store, N, Domain>(ip, context);
  QUADPAIR_CONTINUE(ip + 1);
}

/// All lanes with a 64-bit address register, without any scratch memory, or else the function above.
template <bool Store, bool Shared, class E, class R, int N, class Domain>
const Instruction* access_full(const Instruction* ip, std::byte* file, Context* context) {
  constexpr std::uint32_t other = AccessFlags::narrow_address | AccessFlags::no_register;
  if ((ip->e & other) != 0 ||
      !access_at<Store, Shared, E, R, N, true>(lanes_at<std::uint64_t>(file, ip->a), ip, file, context))
    return access_any<Store, Shared, E, R, N, true, Domain>(ip, file, context);
  Domain::read(ip, context, ip->a);
  tell_access<Store, N, Domain>(ip, context);
  QUADPAIR_CONTINUE(ip + 1);
}

/// A table line: E in memory, R the register's type. The mnemonic is without space and cache hints:
/// "ld.v2.u32".
template <bool Store, bool Shared, class E, class R, int N, class Domain>
constexpr Opcode memory_opcode(std::string_view mnemonic) {
  Opcode opcode;
  opcode.mnemonic = mnemonic;
  opcode.widths = {bits_in<R>, N};
  opcode.registers = {access_full<Store, Shared, E, R, N, Domain>,
                      access_any<Store, Shared, E, R, N, false, Domain>};
  return opcode;
}

template <bool Store, bool Shared, class D>
constexpr std::array memory_table = {
    memory_opcode<Store, Shared, std::uint8_t, std::uint16_t, 1, D>("u8"),
    memory_opcode<Store, Shared, std::uint8_t, std::uint32_t, 1, D>("u8"),
    memory_opcode<Store, Shared, std::uint8_t, std::uint64_t, 1, D>("u8"),
    memory_opcode<Store, Shared, std::int8_t, std::uint16_t, 1, D>("s8"),
    memory_opcode<Store, Shared, std::int8_t, std::uint32_t, 1, D>("s8"),
    memory_opcode<Store, Shared, std::int8_t, std::uint64_t, 1, D>("s8"),
    memory_opcode<Store, Shared, std::uint16_t, std::uint16_t, 1, D>("u16"),
    memory_opcode<Store, Shared, std::uint16_t, std::uint32_t, 1, D>("u16"),
    memory_opcode<Store, Shared, std::uint16_t, std::uint64_t, 1, D>("u16"),
    memory_opcode<Store, Shared, std::int16_t, std::uint32_t, 1, D>("s16"),
    memory_opcode<Store, Shared, std::int16_t, std::uint64_t, 1, D>("s16"),
    memory_opcode<Store, Shared, std::uint32_t, std::uint32_t, 1, D>("u32"),
    memory_opcode<Store, Shared, std::uint32_t, std::uint64_t, 1, D>("u32"),
    memory_opcode<Store, Shared, std::int32_t, std::uint64_t, 1, D>("s32"),
    memory_opcode<Store, Shared, std::uint64_t, std::uint64_t, 1, D>("u64"),
    memory_opcode<Store, Shared, std::uint8_t, std::uint16_t, 2, D>("v2.u8"),
    memory_opcode<Store, Shared, std::uint8_t, std::uint32_t, 2, D>("v2.u8"),
    memory_opcode<Store, Shared, std::uint16_t, std::uint16_t, 2, D>("v2.u16"),
    memory_opcode<Store, Shared, std::uint32_t, std::uint32_t, 2, D>("v2.u32"),
    memory_opcode<Store, Shared, std::uint64_t, std::uint64_t, 2, D>("v2.u64"),
    memory_opcode<Store, Shared, std::uint8_t, std::uint16_t, 4, D>("v4.u8"),
    memory_opcode<Store, Shared, std::uint8_t, std::uint32_t, 4, D>("v4.u8"),
    memory_opcode<Store, Shared, std::uint16_t, std::uint16_t, 4, D>("v4.u16"),
    memory_opcode<Store, Shared, std::uint32_t, std::uint32_t, 4, D>("v4.u32"),
};

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
