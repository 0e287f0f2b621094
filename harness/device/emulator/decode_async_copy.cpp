// cp.async: copies, groups and waits.
#include <algorithm>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"

namespace quadpair::emulator {
namespace {

[[noreturn]] void refuse(const Emitter& emitter) {
  emitter.refuse(std::string(refusal_reason(emitter.current().mnemonic)));
}

const Handlers& handlers_of(std::string_view name) {
  return std::ranges::find(async_copies(), name, &Opcode::mnemonic)->registers;
}

/// cp.async.ca or .cg, with hints of prefetch sizes, which change nothing.
bool is_copy(const std::vector<std::string_view>& parts) {
  if (parts.size() < 5 || (parts[2] != "ca" && parts[2] != "cg")) return false;
  if ((parts[3] != "shared" && parts[3] != "shared::cta") || parts[4] != "global") return false;
  return std::all_of(parts.begin() + 5, parts.end(), [](std::string_view part) {
    return part == "L2::64B" || part == "L2::128B" || part == "L2::256B";
  });
}

/// [destination], [source], bytes{, bytes of the source}
void emit_copy(Emitter& emitter, bool past_l1) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  if (operands.size() != 3 && operands.size() != 4) emitter.refuse("three or four operands are wanted");
  const Address to = address_of(emitter, operands[0], true);
  const Address from = address_of(emitter, operands[1], false);
  const std::uint64_t bytes = immediate_operand(emitter, 2);
  if (bytes != 16 && (past_l1 || (bytes != 4 && bytes != 8)))
    emitter.refuse(past_l1 ? "copies of 16 bytes only" : "copies of 4, 8 or 16 bytes only");
  Instruction copy;
  copy.a = from.reg;
  copy.immediate = from.displacement;
  copy.b = to.reg;
  copy.c = static_cast<std::uint32_t>(to.displacement);
  copy.d = operands.size() == 4 ? emitter.source_offset(operands[3], 32) : emitter.constant(bytes, 32);
  copy.e = to.flags | from.flags << 16;
  emitter.emit_copy(handlers_of(bytes == 4   ? "b32"
                                : bytes == 8 ? "b64"
                                             : "b128"),
                    copy, static_cast<std::uint32_t>(bytes));
}

void emit_wait(Emitter& emitter, std::uint64_t recent) {
  emitter.emit_when_watched(&Observers::wait_group, {.immediate = recent});
  emitter.emit(handlers_of("wait_group"), {.immediate = recent});
}

}  // namespace

Kind decode_async_copy(Emitter& emitter) {
  const std::string_view mnemonic = emitter.current().mnemonic;
  const std::vector<std::string_view> parts = ptx::parts_of(mnemonic);
  if (parts.size() > 1 && parts[1] == "async" && is_copy(parts)) {
    emit_copy(emitter, parts[2] == "cg");
    return Kind::copy_async;
  }
  if (mnemonic == "cp.async.commit_group") {
    emitter.emit(handlers_of("commit_group"), {});
  } else if (mnemonic == "cp.async.wait_group") {
    emit_wait(emitter, immediate_operand(emitter, 0));
  } else if (mnemonic == "cp.async.wait_all") {  // by definition both
    emitter.emit(handlers_of("commit_group"), {});
    emit_wait(emitter, 0);
  } else {
    refuse(emitter);
  }
  return Kind::other;
}

}  // namespace quadpair::emulator
