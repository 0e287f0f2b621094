// ldmatrix: its variant, its registers, its address.
#include <fmt/format.h>

#include <algorithm>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"

namespace quadpair::emulator {

Kind decode_matrix_load(Emitter& emitter) {
  const std::string_view mnemonic = emitter.current().mnemonic;
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  const auto opcode = std::ranges::find_if(matrix_loads(), [&](const Opcode& one) {
    return mnemonic == fmt::format("ldmatrix.sync.aligned.m8n8.{}.shared.b16", one.mnemonic) ||
           mnemonic == fmt::format("ldmatrix.sync.aligned.m8n8.{}.shared::cta.b16", one.mnemonic);
  });
  if (opcode == matrix_loads().end()) emitter.refuse(std::string(refusal_reason(mnemonic)));
  if (operands.size() != 2) emitter.refuse("two operands are wanted");
  if (operands[0].kind != ptx::OperandKind::vector || operands[0].elements.size() != opcode->widths[0])
    emitter.refuse(fmt::format("a vector of {} registers is wanted", opcode->widths[0]));
  std::vector<std::uint32_t> offsets;
  for (const ptx::Operand& element : operands[0].elements)
    offsets.push_back(emitter.register_offset(element, 32));
  const Address address = address_of(emitter, operands[1], true);
  Instruction load;
  load.a = address.reg;
  load.immediate = address.displacement;
  load.e = address.flags | AccessFlags::shared;
  load.list = emitter.list(offsets);
  Access observed{.space = Space::shared, .whole_warp = true, .bytes = 16, .result_bytes = 4};
  observed.lanes = kAllLanes >> (kWarpLanes - 8u * opcode->widths[0]);
  observed.results = std::move(offsets);
  emitter.emit_access(opcode->registers, load, std::move(observed));
  return opcode->kind;
}

}  // namespace quadpair::emulator
