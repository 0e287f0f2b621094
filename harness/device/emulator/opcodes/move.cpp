// mov in all its forms: copies, constants, special registers, packing and unpacking; predicate logic.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/move.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "harness/device/emulator/special.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

struct Copy {
  template <class D>
  static HWY_INLINE hn::Vec<D> apply(D, hn::Vec<D> a) {
    return a;
  }
};

template <class T, bool Full, class Domain>
const Instruction* constant(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<T> d;
  const auto value = hn::Set(d, static_cast<T>(ip->immediate));
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) store<Full>(d, value, file, ip->d, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full, class Domain>
const Instruction* copy_predicate(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  store_predicate<Full>(*lanes_at<std::uint32_t>(file, ip->a), file, ip->d, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Full, class Domain>
const Instruction* not_predicate(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  store_predicate<Full>(~*lanes_at<std::uint32_t>(file, ip->a), file, ip->d, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

enum class Logic { conjunction, disjunction, difference };

template <Logic L, bool Full, class Domain>
const Instruction* combine(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  Domain::read(ip, context, ip->b);
  const std::uint32_t a = *lanes_at<std::uint32_t>(file, ip->a), b = *lanes_at<std::uint32_t>(file, ip->b);
  store_predicate<Full>(L == Logic::conjunction   ? a & b
                        : L == Logic::disjunction ? a | b
                                                  : a ^ b,
                        file, ip->d, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

constexpr bool differs_by_lane(SpecialRegister which) {
  return which <= SpecialRegister::tid_z || which == SpecialRegister::laneid ||
         which >= SpecialRegister::lanemask_eq;
}

template <bool Full>
HWY_NOINLINE void store_special(const Instruction* ip, std::byte* file, const Context* context) {
  const auto which = static_cast<SpecialRegister>(ip->immediate);
  const Tag<std::uint32_t> d;
  const std::uint32_t first = special_value(which, *context, 0);
  const bool counts_up =
      which == SpecialRegister::tid_x && context->block_size.y * context->block_size.z == 1;
  if (counts_up || !differs_by_lane(which)) {
    const auto step = hn::Set(d, counts_up ? 1u : 0u);
    for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
      store<Full>(d, hn::Add(hn::Set(d, first), hn::Mul(step, hn::Iota(d, static_cast<std::uint32_t>(i)))),
                  file, ip->d, i, context);
    return;
  }
  store_lanes<Full, std::uint32_t>(file, ip->d, context,
                                   [&](std::uint32_t lane) { return special_value(which, *context, lane); });
}

/// A special register (its number in the immediate) as 32 bits.
template <bool Full, class Domain>
const Instruction* special(const Instruction* ip, std::byte* file, Context* context) {
  store_special<Full>(ip, file, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// d = {a, b, c, e}, the first in the lowest bits.
template <class T, class Wide, int N, bool Full, class Domain>
const Instruction* pack(const Instruction* ip, std::byte* file, Context* context) {
  const std::uint32_t sources[] = {ip->a, ip->b, ip->c, ip->e};
  for (int k = 0; k < N; ++k) Domain::read(ip, context, sources[k]);
  store_lanes<Full, Wide>(file, ip->d, context, [&](std::uint32_t lane) {
    Wide value = 0;
    for (int k = 0; k < N; ++k)
      value |= static_cast<Wide>(lanes_at<T>(file, sources[k])[lane]) << (8 * sizeof(T) * k);
    return value;
  });
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// list[0..N) = the parts of a, from the lowest bits.
template <class T, class Wide, int N, bool Full, class Domain>
const Instruction* unpack(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  for (int k = 0; k < N; ++k) {
    store_lanes<Full, T>(file, ip->list[k], context, [&](std::uint32_t lane) {
      return static_cast<T>(lanes_at<Wide>(file, ip->a)[lane] >> (8 * sizeof(T) * k));
    });
    Domain::write(ip, context, ip->list[k]);
  }
  QUADPAIR_CONTINUE(ip + 1);
}

Utilities move_utilities() {
  using D = PlainDomain;
  Utilities u;
  u.copy[0] = {unary<Copy, u16, true, D>, unary<Copy, u16, false, D>};
  u.copy[1] = {unary<Copy, u32, true, D>, unary<Copy, u32, false, D>};
  u.copy[2] = {unary<Copy, u64, true, D>, unary<Copy, u64, false, D>};
  u.constant[0] = {constant<u16, true, D>, constant<u16, false, D>};
  u.constant[1] = {constant<u32, true, D>, constant<u32, false, D>};
  u.constant[2] = {constant<u64, true, D>, constant<u64, false, D>};
  u.copy_predicate = {copy_predicate<true, D>, copy_predicate<false, D>};
  u.not_predicate = {not_predicate<true, D>, not_predicate<false, D>};
  u.combine[0] = {combine<Logic::conjunction, true, D>, combine<Logic::conjunction, false, D>};
  u.combine[1] = {combine<Logic::disjunction, true, D>, combine<Logic::disjunction, false, D>};
  u.combine[2] = {combine<Logic::difference, true, D>, combine<Logic::difference, false, D>};
  u.special = {special<true, D>, special<false, D>};
  u.pack_2x16 = {pack<u16, u32, 2, true, D>, pack<u16, u32, 2, false, D>};
  u.pack_2x32 = {pack<u32, u64, 2, true, D>, pack<u32, u64, 2, false, D>};
  u.pack_4x16 = {pack<u16, u64, 4, true, D>, pack<u16, u64, 4, false, D>};
  u.unpack_2x16 = {unpack<u16, u32, 2, true, D>, unpack<u16, u32, 2, false, D>};
  u.unpack_2x32 = {unpack<u32, u64, 2, true, D>, unpack<u32, u64, 2, false, D>};
  u.unpack_4x16 = {unpack<u16, u64, 4, true, D>, unpack<u16, u64, 4, false, D>};
  return u;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(Utilities, move_utilities)
