// bfi, prmt and lop3: what decoding of packed weights is made of.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/fields.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

/// b with a's low bits put in at `c`, as many as `d` says (both modulo 256).
struct InsertField {
  template <class T>
  static T apply(T a, T b, u32 c, u32 d) {
    constexpr u32 width = 8 * sizeof(T);
    const u32 position = c & 255, length = d & 255;
    if (position >= width) return b;
    const T ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T mask = static_cast<T>(ones << position);
    return (b & ~mask) | (static_cast<T>(a << position) & mask);
  }
};

/// Four bytes of {b, a}, each chosen by a nibble whose top bit replicates the byte's sign instead.
struct PermuteBytes {
  static u32 apply(u32 a, u32 b, u32 selector) {
    const u64 bytes = static_cast<u64>(b) << 32 | a;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 nibble = selector >> (4 * i) & 15;
      u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7))) & 255;
      if (nibble & 8) byte = byte & 128 ? 255 : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};

/// The truth table's bit (a << 2 | b << 1 | c), for every bit position.
struct TruthTable {
  static u32 apply(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (u32 row = 0; row < 8; ++row) {
      const u32 matches = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
      result |= matches & (0u - (table >> row & 1));
    }
    return result;
  }
};

/// The same by seven selections, for a table that all lanes share.
template <bool Full, class Domain>
const Instruction* shared_table(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<u32> d;
  for (const u32 source : {ip->a, ip->b, ip->c}) Domain::read(ip, context, source);
  const u32 table = static_cast<u32>(ip->immediate);
  hn::Vec<Tag<u32>> rows[8];
  for (u32 row = 0; row < 8; ++row) rows[row] = hn::Set(d, 0u - (table >> row & 1));
  const auto select = [](auto mask, auto yes, auto no) {
    return hn::Or(hn::And(mask, yes), hn::AndNot(mask, no));
  };
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    const auto a = load(d, file, ip->a, i), b = load(d, file, ip->b, i), c = load(d, file, ip->c, i);
    const auto low = select(b, select(c, rows[3], rows[2]), select(c, rows[1], rows[0]));
    const auto high = select(b, select(c, rows[7], rows[6]), select(c, rows[5], rows[4]));
    store<Full>(d, select(a, high, low), file, ip->d, i, context);
  }
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// prmt with one selector for all lanes: a table look-up, and the signs where they are asked for.
template <bool Full, class Domain>
const Instruction* shared_selector(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  Domain::read(ip, context, ip->b);
  const u32 selector = static_cast<u32>(ip->immediate);
  const Tag<u32> d;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < kWarpLanes; ++i)
    store<Full>(d,
                hn::Set(d, PermuteBytes::apply(hn::GetLane(load(d, file, ip->a, i)),
                                               hn::GetLane(load(d, file, ip->b, i)), selector)),
                file, ip->d, i, context);
#else
  const hn::Repartition<std::uint8_t, Tag<u32>> bytes;
  u32 from_a = 0, from_b = 0, signs = 0;  // indices with the top bit give 0
  for (u32 i = 0; i < 4; ++i) {
    const u32 nibble = selector >> (4 * i) & 15;
    from_a |= ((nibble & 4) != 0 ? 0x80 : nibble & 3) << (8 * i);
    from_b |= ((nibble & 4) != 0 ? nibble & 3 : 0x80) << (8 * i);
    signs |= ((nibble & 8) != 0 ? 0xffu : 0) << (8 * i);
  }
  // Within each 128-bit block, lane k's bytes begin at 4k.
  const auto lane_base = hn::Mul(hn::And(hn::Iota(d, 0), hn::Set(d, 3u)), hn::Set(d, 0x04040404u));
  const auto index_a = hn::BitCast(bytes, hn::Add(hn::Set(d, from_a), lane_base));
  const auto index_b = hn::BitCast(bytes, hn::Add(hn::Set(d, from_b), lane_base));
  const auto sign_bytes = hn::BitCast(bytes, hn::Set(d, signs));
  const hn::RebindToSigned<decltype(bytes)> signed_bytes;
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    const auto a = hn::BitCast(bytes, load(d, file, ip->a, i));
    const auto b = hn::BitCast(bytes, load(d, file, ip->b, i));
    const auto chosen = hn::Or(hn::TableLookupBytesOr0(a, index_a), hn::TableLookupBytesOr0(b, index_b));
    const auto sign = hn::BitCast(bytes, hn::BroadcastSignBit(hn::BitCast(signed_bytes, chosen)));
    const auto result = hn::Or(hn::And(sign_bytes, sign), hn::AndNot(sign_bytes, chosen));
    store<Full>(d, hn::BitCast(d, result), file, ip->d, i, context);
  }
#endif
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// bfi.b32 with one length for all lanes.
template <bool Full, class Domain>
const Instruction* shared_length(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<u32> d;
  for (const u32 source : {ip->a, ip->b, ip->c}) Domain::read(ip, context, source);
  const u32 length = static_cast<u32>(ip->immediate) & 255;
  const auto ones = hn::Set(d, length >= 32 ? ~0u : (1u << length) - 1);
  const auto limit = hn::Set(d, 31u);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    const auto a = load(d, file, ip->a, i), b = load(d, file, ip->b, i);
    const auto position = hn::And(load(d, file, ip->c, i), hn::Set(d, 255u));
    const auto amount = hn::Min(position, limit);
    const auto mask = hn::IfThenElseZero(hn::Eq(position, amount), hn::Shl(ones, amount));
    store<Full>(d, hn::Or(hn::And(mask, hn::Shl(a, amount)), hn::AndNot(mask, b)), file, ip->d, i, context);
  }
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

constexpr Opcode with_immediate(Opcode opcode, Handlers immediate) {
  opcode.immediate = immediate;
  return opcode;
}

template <class D>
constexpr Opcode table[] = {
    with_immediate(lanewise_opcode<InsertField, D, u32, u32, u32, u32, u32>("bfi.b32", Kind::logic),
                   {shared_length<true, D>, shared_length<false, D>}),
    lanewise_opcode<InsertField, D, u64, u64, u64, u32, u32>("bfi.b64", Kind::logic),
    with_immediate(lanewise_opcode<PermuteBytes, D, u32, u32, u32, u32>("prmt.b32", Kind::logic),
                   {shared_selector<true, D>, shared_selector<false, D>}),
    with_immediate(lanewise_opcode<TruthTable, D, u32, u32, u32, u32, u32>("lop3.b32", Kind::logic),
                   {shared_table<true, D>, shared_table<false, D>}),
};

std::span<const Opcode> field_opcodes() {
  return table<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, field_opcodes)
