// Registers of 32 lanes as Highway vectors: loads, masked stores and handler templates. Compiled per target.

#if defined(QUADPAIR_EMULATOR_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_EMULATOR_LANES_INL
#undef QUADPAIR_EMULATOR_LANES_INL
#else
#define QUADPAIR_EMULATOR_LANES_INL
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "harness/device/emulator/domain.hpp"
#include "harness/device/emulator/opcode.hpp"
#include "hwy/highway.h"

/// After a file's last target: the public function `name`, which calls the one compiled for the best target
/// that this CPU has.
#undef QUADPAIR_CHOOSE_AT_RUN_TIME
#if HWY_ONCE
#define QUADPAIR_CHOOSE_AT_RUN_TIME(Result, name) \
  namespace quadpair::emulator {                  \
  HWY_EXPORT(name);                               \
  Result name() {                                 \
    return HWY_DYNAMIC_DISPATCH(name)();          \
  }                                               \
  }
#else
#define QUADPAIR_CHOOSE_AT_RUN_TIME(Result, name)
#endif

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <class T>
using Tag = hn::CappedTag<T, kWarpLanes>;

template <class T>
HWY_INLINE T* lanes_at(std::byte* file, std::uint32_t offset) {
  return reinterpret_cast<T*>(file + offset);
}

template <class D>
HWY_INLINE hn::Vec<D> load(D d, std::byte* file, std::uint32_t offset, std::size_t lane) {
  return hn::Load(d, lanes_at<hn::TFromD<D>>(file, offset) + lane);
}

/// The lanes from `first` of a 32-bit mask as a vector mask.
template <class D>
HWY_INLINE hn::Mask<D> mask_of(D d, std::uint32_t bits, std::size_t first) {
  std::uint64_t shifted = bits >> first;
  if (hn::Lanes(d) < 8) shifted &= (1u << hn::Lanes(d)) - 1;
  std::uint8_t bytes[8];
  std::memcpy(bytes, &shifted, sizeof bytes);
  return hn::LoadMaskBits(d, bytes);
}

template <class D>
HWY_INLINE std::uint32_t bits_of(D d, hn::Mask<D> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint32_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  if (hn::Lanes(d) < 8) bits &= (1u << hn::Lanes(d)) - 1;
  return bits;
}

template <bool Full, class D>
HWY_INLINE void store(D d, hn::Vec<D> v, std::byte* file, std::uint32_t offset, std::size_t lane,
                      const Context* context) {
  hn::TFromD<D>* to = lanes_at<hn::TFromD<D>>(file, offset) + lane;
  if constexpr (Full)
    hn::Store(v, d, to);
  else
    hn::BlendedStore(v, mask_of(d, context->active, lane), d, to);
}

template <bool Full>
HWY_INLINE void store_predicate(std::uint32_t bits, std::byte* file, std::uint32_t offset,
                                const Context* context) {
  std::uint32_t* to = lanes_at<std::uint32_t>(file, offset);
  *to = Full ? bits : (*to & ~context->active) | (bits & context->active);
}

/// Stores what op(lane) gives, for operations that no vector instruction does: all lanes are computed before
/// any is stored, since the destination may be a source.
template <bool Full, class T, class Op>
HWY_INLINE void store_lanes(std::byte* file, std::uint32_t offset, const Context* context, Op op) {
  T results[kWarpLanes];
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) results[lane] = op(lane);
  T* to = lanes_at<T>(file, offset);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
    if (Full || (context->active >> lane & 1)) to[lane] = results[lane];
}

/// Vector operations: Op::apply(tag, a...) on lanes of type T.
template <class Op, class T, bool Full, class Domain>
const Instruction* unary(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<T> d;
  const std::uint32_t to = ip->d, from = ip->a;  // stores might change *ip for all that the compiler knows
  Domain::read(ip, context, from);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store<Full>(d, Op::apply(d, load(d, file, from, i)), file, to, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class Op, class T, bool Immediate, bool Full, class Domain>
const Instruction* binary(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<T> d;
  const std::uint32_t to = ip->d, first = ip->a, second = ip->b;
  Domain::read(ip, context, first);
  if constexpr (!Immediate) Domain::read(ip, context, second);
  auto b = hn::Zero(d);
  if constexpr (Immediate) {
    T value;
    std::memcpy(&value, &ip->immediate, sizeof value);
    b = hn::Set(d, value);
  }
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) {
    if constexpr (!Immediate) b = load(d, file, second, i);
    store<Full>(d, Op::apply(d, load(d, file, first, i), b), file, to, i, context);
  }
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class Op, class T, bool Full, class Domain>
const Instruction* ternary(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<T> d;
  for (std::uint32_t source : {ip->a, ip->b, ip->c}) Domain::read(ip, context, source);
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d))
    store<Full>(d, Op::apply(d, load(d, file, ip->a, i), load(d, file, ip->b, i), load(d, file, ip->c, i)),
                file, ip->d, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

/// Scalar operations: Op::apply(a, b, c, e) with as many sources as types are given.
template <class Op, bool Full, class Domain, class R, class A, class B = void, class C = void, class E = void>
const Instruction* lanewise(const Instruction* ip, std::byte* file, Context* context) {
  const auto source = [&]<class T>(std::type_identity<T>, std::uint32_t offset, std::uint32_t lane) {
    return lanes_at<T>(file, offset)[lane];
  };
  constexpr int sources = 1 + !std::is_void_v<B> + !std::is_void_v<C> + !std::is_void_v<E>;
  const std::uint32_t offsets[] = {ip->a, ip->b, ip->c, ip->e};
  for (int i = 0; i < sources; ++i) Domain::read(ip, context, offsets[i]);
  store_lanes<Full, R>(file, ip->d, context, [&](std::uint32_t lane) -> R {
    const A a = source(std::type_identity<A>{}, ip->a, lane);
    if constexpr (sources == 1)
      return Op::apply(a);
    else {
      const B b = source(std::type_identity<B>{}, ip->b, lane);
      if constexpr (sources == 2)
        return Op::apply(a, b);
      else {
        const C c = source(std::type_identity<C>{}, ip->c, lane);
        if constexpr (sources == 3)
          return Op::apply(a, b, c);
        else
          return Op::apply(a, b, c, source(std::type_identity<E>{}, ip->e, lane));
      }
    }
  });
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

// Table lines.
template <class T>
constexpr std::uint8_t bits_in = std::is_void_v<T>
                                     ? 0
                                     : 8 * sizeof(std::conditional_t<std::is_void_v<T>, char, T>);

template <class Op, class T, class Domain>
constexpr Opcode unary_opcode(std::string_view mnemonic, Kind kind) {
  return {mnemonic,
          kind,
          Form::plain,
          {bits_in<T>, bits_in<T>},
          {unary<Op, T, true, Domain>, unary<Op, T, false, Domain>},
          {}};
}

template <class Op, class T, class Domain>
constexpr Opcode binary_opcode(std::string_view mnemonic, Kind kind) {
  return {mnemonic,
          kind,
          Form::plain,
          {bits_in<T>, bits_in<T>, bits_in<T>},
          {binary<Op, T, false, true, Domain>, binary<Op, T, false, false, Domain>},
          {binary<Op, T, true, true, Domain>, binary<Op, T, true, false, Domain>}};
}

template <class Op, class T, class Domain>
constexpr Opcode ternary_opcode(std::string_view mnemonic, Kind kind) {
  return {mnemonic,
          kind,
          Form::plain,
          {bits_in<T>, bits_in<T>, bits_in<T>, bits_in<T>},
          {ternary<Op, T, true, Domain>, ternary<Op, T, false, Domain>},
          {}};
}

template <class Op, class Domain, class R, class A, class B = void, class C = void, class E = void>
constexpr Opcode lanewise_opcode(std::string_view mnemonic, Kind kind) {
  return {mnemonic,
          kind,
          Form::plain,
          {bits_in<R>, bits_in<A>, bits_in<B>, bits_in<C>, bits_in<E>},
          {lanewise<Op, true, Domain, R, A, B, C, E>, lanewise<Op, false, Domain, R, A, B, C, E>},
          {}};
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
