#include "harness/device/emulator/trace/captures.hpp"

#include "harness/device/emulator/trace/access_shape.hpp"
#include "harness/device/emulator/trace/recording.hpp"
#include "harness/device/emulator/warpgroup.hpp"

namespace quadpair::emulator {
namespace {

template <bool Full, bool After>
const Instruction* capture(const Instruction* ip, std::byte* file, Context* context) {
  context->recorder->capture({ip->d, After, context->warp_index, Full ? kAllLanes : context->active}, file,
                             ip->list, ip->e, ip->immediate);
  QUADPAIR_CONTINUE(ip + 1);
}

void emit(Emitter& emitter, const ptx::Entry& entry, const std::vector<int>& registers, bool after) {
  std::vector<std::uint32_t> list = {static_cast<std::uint32_t>(registers.size())};
  for (const int reg : registers) {
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::reg;
    operand.reg = reg;
    const std::uint8_t width = width_of(entry.registers[static_cast<std::size_t>(reg)].cls);
    list.push_back(emitter.register_offset(operand, width));
    list.push_back(width);
  }
  Instruction capturing;
  capturing.d = static_cast<std::uint32_t>(&emitter.current() - entry.instructions.data());
  capturing.list = emitter.list(std::move(list));
  if (!after) {
    const AccessShape access = access_of(emitter.current());
    const bool watched = access.store && access.space == AccessShape::Space::global && !registers.empty();
    capturing.e = watched ? access.bytes() : 0;
    capturing.immediate = emitter.current().operands[0].value;
  }
  emitter.emit(after ? Handlers{capture<true, true>, capture<false, true>}
                     : Handlers{capture<true, false>, capture<false, false>},
               capturing);
}

}  // namespace

void emit_before(Emitter& emitter, const ptx::Entry& entry) {
  if (accesses_memory(emitter.current())) emit(emitter, entry, captured_before(emitter.current()), false);
}

void emit_after(Emitter& emitter, const ptx::Entry& entry) {
  if (warpgroup_columns(emitter.current().mnemonic) != 0) return;  // captured when it is performed
  if (!emitter.current().defs.empty()) emit(emitter, entry, emitter.current().defs, true);
}

}  // namespace quadpair::emulator
