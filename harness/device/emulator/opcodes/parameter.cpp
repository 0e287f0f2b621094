// Reads of kernel parameters: by name the same value in every lane, by a register each lane its own.
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/parameter.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/memory.hpp"
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

template <class E, class R, bool Full, class Domain>
const Instruction* read_indexed(const Instruction* ip, std::byte* file, Context* context) {
  Domain::read(ip, context, ip->a);
  const std::uint64_t* registers = lanes_at<std::uint64_t>(file, ip->a);
  store_lanes<Full, R>(file, ip->d, context, [&](std::uint32_t lane) -> R {
    if (!Full && (context->active >> lane & 1) == 0) return 0;
    const std::uint64_t offset = registers[lane] + ip->immediate;
    check_parameter(ip, *context, lane, offset, sizeof(E));
    E element;
    std::memcpy(&element, context->parameters + offset, sizeof element);
    return static_cast<R>(element);
  });
  Domain::write(ip, context, ip->d);
  QUADPAIR_CONTINUE(ip + 1);
}

template <bool Indexed, class E, class R, class D>
constexpr Opcode parameter_opcode(std::string_view element) {
  Opcode opcode;
  opcode.mnemonic = element;
  opcode.kind = Kind::load_param;
  opcode.widths = {bits_in<R>, 1};
  if constexpr (Indexed)
    opcode.registers = {read_indexed<E, R, true, D>, read_indexed<E, R, false, D>};
  else
    opcode.registers = {read_parameter<E, R, true, D>, read_parameter<E, R, false, D>};
  return opcode;
}

template <bool Indexed, class D>
constexpr Opcode table[] = {
    parameter_opcode<Indexed, std::uint8_t, std::uint16_t, D>("u8"),
    parameter_opcode<Indexed, std::int8_t, std::uint16_t, D>("s8"),
    parameter_opcode<Indexed, std::uint16_t, std::uint16_t, D>("u16"),
    parameter_opcode<Indexed, std::uint8_t, std::uint32_t, D>("u8"),
    parameter_opcode<Indexed, std::int8_t, std::uint32_t, D>("s8"),
    parameter_opcode<Indexed, std::uint16_t, std::uint32_t, D>("u16"),
    parameter_opcode<Indexed, std::int16_t, std::uint32_t, D>("s16"),
    parameter_opcode<Indexed, std::uint32_t, std::uint32_t, D>("u32"),
    parameter_opcode<Indexed, std::uint8_t, std::uint64_t, D>("u8"),
    parameter_opcode<Indexed, std::int8_t, std::uint64_t, D>("s8"),
    parameter_opcode<Indexed, std::uint16_t, std::uint64_t, D>("u16"),
    parameter_opcode<Indexed, std::int16_t, std::uint64_t, D>("s16"),
    parameter_opcode<Indexed, std::uint32_t, std::uint64_t, D>("u32"),
    parameter_opcode<Indexed, std::int32_t, std::uint64_t, D>("s32"),
    parameter_opcode<Indexed, std::uint64_t, std::uint64_t, D>("u64"),
};

std::span<const Opcode> parameter_loads() {
  return table<false, PlainDomain>;
}

std::span<const Opcode> indexed_parameter_loads() {
  return table<true, PlainDomain>;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, parameter_loads)
QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, indexed_parameter_loads)
