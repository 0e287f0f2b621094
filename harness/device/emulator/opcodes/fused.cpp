// Instructions that the fusion makes of several: bit fields put together, and constants for many registers.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/fused.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "harness/device/emulator/opcodes/operations-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

/// By 0 to 31.
template <class D>
HWY_INLINE hn::Vec<D> rotated_left([[maybe_unused]] D d, hn::Vec<D> v, hn::Vec<D> amount) {
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<D>{_mm512_maskz_rolv_epi32(0xffff, v.raw, amount.raw)};
#else
  const auto back = hn::And(hn::Sub(hn::Zero(d), amount), hn::Set(d, 31u));
  return hn::Or(hn::Shl(v, amount), hn::Shr(v, back));
#endif
}

/// A field's rotation and mask in every lane.
template <class D>
struct Field {
  hn::Vec<D> rotation, mask;

  Field(D d, u32 by, u32 bits) : rotation(hn::Set(d, by)), mask(hn::Set(d, bits)) {}
  HWY_INLINE hn::Vec<D> of(D d, hn::Vec<D> v) const { return hn::And(rotated_left(d, v, rotation), mask); }
};

/// d = the field of a whose rotation is the immediate's upper half and whose mask is the lower one.
template <bool Full, class Domain>
const Instruction* field(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<u32> d;
  const std::uint32_t to = ip->d, from = ip->a;
  Domain::read(ip, context, from);
  const Field<Tag<u32>> part(d, static_cast<u32>(ip->immediate >> 32), static_cast<u32>(ip->immediate));
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store<Full>(d, part.of(d, load(d, file, from, i)), file, to, i, context);
  Domain::write(ip, context, to);
  QUADPAIR_CONTINUE(ip + 1);
}

/// d = a field of a and a field of b (list: rotation and mask of each) put together.
template <class Op, bool Full, class Domain>
const Instruction* fields(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<u32> d;
  const std::uint32_t to = ip->d, first = ip->a, second = ip->b;
  Domain::read(ip, context, first);
  Domain::read(ip, context, second);
  const Field<Tag<u32>> a(d, ip->list[0], ip->list[1]), b(d, ip->list[2], ip->list[3]);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store<Full>(d, Op::apply(d, a.of(d, load(d, file, first, i)), b.of(d, load(d, file, second, i))), file,
                to, i, context);
  Domain::write(ip, context, to);
  QUADPAIR_CONTINUE(ip + 1);
}

/// d = the bits of a's field where c has ones, of b's where it has zeros.
template <bool Full, class Domain>
const Instruction* select_fields(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<u32> d;
  const std::uint32_t to = ip->d, first = ip->a, second = ip->b, chooser = ip->c;
  for (const std::uint32_t source : {first, second, chooser}) Domain::read(ip, context, source);
  const Field<Tag<u32>> a(d, ip->list[0], ip->list[1]), b(d, ip->list[2], ip->list[3]);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    const auto chosen = load(d, file, chooser, i);
    const auto ones = a.of(d, load(d, file, first, i)), zeros = b.of(d, load(d, file, second, i));
    store<Full>(d, hn::Or(hn::And(chosen, ones), hn::AndNot(chosen, zeros)), file, to, i, context);
  }
  Domain::write(ip, context, to);
  QUADPAIR_CONTINUE(ip + 1);
}

/// list[0..c) = the immediate.
template <bool Full, class Domain>
const Instruction* constants(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<u32> d;
  const auto value = hn::Set(d, static_cast<u32>(ip->immediate));
  const std::uint32_t* const list = ip->list;
  for (std::uint32_t k = 0, count = ip->c; k < count; ++k) {
    const std::uint32_t to = list[k];
    for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) store<Full>(d, value, file, to, i, context);
    Domain::write(ip, context, to);
  }
  QUADPAIR_CONTINUE(ip + 1);
}

template <class Op, class D>
constexpr Opcode fields_opcode(std::string_view mnemonic) {
  return {mnemonic, Kind::logic, Form::fields, {}, {fields<Op, true, D>, fields<Op, false, D>}, {}};
}

template <class D>
constexpr Opcode table[] = {
    {"field+", Kind::logic, Form::fields, {}, {field<true, D>, field<false, D>}, {}},
    fields_opcode<And, D>("and+fields"),
    fields_opcode<Or, D>("or+fields"),
    fields_opcode<Xor, D>("xor+fields"),
    fields_opcode<Add, D>("add+fields"),
    {"select+fields", Kind::logic, Form::fields, {}, {select_fields<true, D>, select_fields<false, D>}, {}},
    {"mov+many", Kind::move, Form::constants, {}, {constants<true, D>, constants<false, D>}, {}},
};

std::span<const Opcode> fused_opcodes() {
  return table<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, fused_opcodes)
