// Reads of kernel parameters: the same value in every lane.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/parameter.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/lanes-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

template <class E, class R, bool Full, class Domain>
const Instruction* read_parameter(const Instruction* ip, std::byte* file, Context* context) {
  const Tag<R> d;
  E element;
  std::memcpy(&element, context->parameters + ip->immediate, sizeof element);
  const auto value = hn::Set(d, static_cast<R>(element));
  for (std::size_t i = 0; i < kWarpLanes; i += hn::Lanes(d)) store<Full>(d, value, file, ip->d, i, context);
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <class E, class R, class Domain>
constexpr Opcode parameter_opcode(std::string_view element) {
  return {element,
          Kind::load_param,
          Form::plain,
          {bits_in<R>, 1},
          {read_parameter<E, R, true, Domain>, read_parameter<E, R, false, Domain>},
          {}};
}

template <class D>
constexpr Opcode table[] = {
    parameter_opcode<std::uint8_t, std::uint16_t, D>("u8"),
    parameter_opcode<std::int8_t, std::uint16_t, D>("s8"),
    parameter_opcode<std::uint16_t, std::uint16_t, D>("u16"),
    parameter_opcode<std::uint8_t, std::uint32_t, D>("u8"),
    parameter_opcode<std::int8_t, std::uint32_t, D>("s8"),
    parameter_opcode<std::uint16_t, std::uint32_t, D>("u16"),
    parameter_opcode<std::int16_t, std::uint32_t, D>("s16"),
    parameter_opcode<std::uint32_t, std::uint32_t, D>("u32"),
    parameter_opcode<std::uint8_t, std::uint64_t, D>("u8"),
    parameter_opcode<std::int8_t, std::uint64_t, D>("s8"),
    parameter_opcode<std::uint16_t, std::uint64_t, D>("u16"),
    parameter_opcode<std::int16_t, std::uint64_t, D>("s16"),
    parameter_opcode<std::uint32_t, std::uint64_t, D>("u32"),
    parameter_opcode<std::int32_t, std::uint64_t, D>("s32"),
    parameter_opcode<std::uint64_t, std::uint64_t, D>("u64"),
};

std::span<const Opcode> parameter_loads() {
  return table<PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quadpair::emulator {
HWY_EXPORT(parameter_loads);
std::span<const Opcode> parameter_loads() {
  return HWY_DYNAMIC_DISPATCH(parameter_loads)();
}
}  // namespace quadpair::emulator
#endif
