#include "harness/device/emulator/opcode_table.hpp"

#include "harness/device/emulator/opcodes/opcodes.hpp"

namespace quadpair::emulator {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::integer: return "integer";
    case Kind::logic: return "logic";
    case Kind::fp16: return "fp16";
    case Kind::fp32: return "fp32";
    case Kind::convert: return "convert";
    case Kind::move: return "move";
    case Kind::compare: return "compare";
    case Kind::load_param: return "load.param";
    case Kind::load_global: return "load.global";
    case Kind::store_global: return "store.global";
    case Kind::load_shared: return "load.shared";
    case Kind::store_shared: return "store.shared";
    case Kind::load_generic: return "load.generic";
    case Kind::store_generic: return "store.generic";
    case Kind::copy_async: return "copy.async";
    case Kind::warp: return "warp";
    case Kind::barrier: return "barrier";
    case Kind::branch: return "branch";
    case Kind::mma: return "mma";
    case Kind::other: return "other";
    case Kind::count: break;
  }
  return "unknown";
}

OpcodeTable::OpcodeTable() : utilities_(move_utilities()) {
  const Utilities control = control_utilities();
  utilities_.jump = control.jump;
  utilities_.branch = control.branch;
  utilities_.exit = control.exit;
  utilities_.guarded_exit = control.guarded_exit;
  utilities_.join = control.join;
  utilities_.guard = control.guard;
  utilities_.guard_all = control.guard_all;
  utilities_.unguard = control.unguard;
  utilities_.barrier = control.barrier;
  for (const std::span<const Opcode> family :
       {integer_opcodes(), bit_opcodes(), field_opcodes(), compare_opcodes(), native_half_opcodes(),
        half_opcodes(), single_opcodes(), convert_opcodes(), warp_opcodes(), fused_opcodes()})
    for (const Opcode& opcode : family)
      opcodes_.emplace(opcode.mnemonic, opcode);  // the first of a name stays
  const Opcode predicates[] = {
      {"and.pred", Kind::compare, Form::plain, {1, 1, 1}, utilities_.combine[0], {}},
      {"or.pred", Kind::compare, Form::plain, {1, 1, 1}, utilities_.combine[1], {}},
      {"xor.pred", Kind::compare, Form::plain, {1, 1, 1}, utilities_.combine[2], {}},
      {"not.pred", Kind::compare, Form::plain, {1, 1}, utilities_.not_predicate, {}},
  };
  for (const Opcode& opcode : predicates) opcodes_.emplace(opcode.mnemonic, opcode);
}

const Opcode* OpcodeTable::find(std::string_view mnemonic) const {
  const auto found = opcodes_.find(mnemonic);
  return found == opcodes_.end() ? nullptr : &found->second;
}

const Opcode* find_element(std::span<const Opcode> family, std::string_view element, std::uint8_t width0,
                           std::uint8_t width1) {
  for (const Opcode& opcode : family)
    if (opcode.mnemonic == element && opcode.widths[0] == width0 && opcode.widths[1] == width1)
      return &opcode;
  return nullptr;
}

std::string_view refusal_reason(std::string_view mnemonic) {
  if (contains(mnemonic, ".approx") || contains(mnemonic, ".full"))
    return "approximate instruction: its result comes from undocumented tables that differ between "
           "architectures, so no CPU can give its bits";
  if (contains(mnemonic, ".ftz")) return "flushing subnormals (.ftz) is not supported";
  return "unknown instruction";
}

}  // namespace quadpair::emulator
