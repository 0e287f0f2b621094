// wgmma, fence.proxy.async and bar.arrive.
#include <fmt/format.h>

#include <algorithm>

#include "harness/device/emulator/emitter.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/warpgroup.hpp"

namespace quadpair::emulator {
namespace {

const Opcode& opcode_of(std::string_view name) {
  return *std::ranges::find(warpgroup_opcodes(), name, &Opcode::mnemonic);
}

/// d, a or its descriptor, descriptor of b, scale-d, scale-a, scale-b; transpose-a with the descriptor;
/// transpose-b.
void emit_product(Emitter& emitter, std::uint32_t columns) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  const bool staged = operands.size() == 8 && operands[1].kind == ptx::OperandKind::reg;
  if (!staged && (operands.size() != 7 || operands[1].kind != ptx::OperandKind::vector ||
                  operands[1].elements.size() != 4))
    emitter.refuse("only products whose A is four registers or a descriptor are supported");
  if (operands[0].kind != ptx::OperandKind::vector || operands[0].elements.size() != columns / 2)
    emitter.refuse(fmt::format("operand 0 must have {} registers", columns / 2));
  for (const std::size_t i : {3u, 4u, 5u})
    if (immediate_operand(emitter, i) != 1) emitter.refuse(fmt::format("operand {} must be 1", i));
  for (std::size_t i = 6; i < operands.size(); ++i)
    if (immediate_operand(emitter, i) != 0) emitter.refuse("a transposed A or B is not supported");
  std::vector<std::uint32_t> sums, fragment;
  for (const ptx::Operand& element : operands[0].elements)
    sums.push_back(emitter.register_offset(element, 32));
  for (const ptx::Operand& element : operands[1].elements)
    fragment.push_back(emitter.register_offset(element, 32));
  // Eight columns of a warp's part are an m16n8k16, listed as reference::WarpMma wants it, on copies of a and
  // b; last the registers of a, if it has any.
  std::vector<std::uint32_t> copies;
  copies.reserve(6);
  for (int i = 0; i < 6; ++i) copies.push_back(emitter.new_slot());
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t block = 0; block < columns / 8; ++block) {
    for (int both = 0; both < 2; ++both)
      offsets.insert(offsets.end(), sums.begin() + 4 * block, sums.begin() + 4 * block + 4);
    offsets.insert(offsets.end(), copies.begin(), copies.end());
  }
  offsets.insert(offsets.end(), fragment.begin(), fragment.end());
  emitter.emit(opcode_of(staged ? "staged_product" : "product").registers,
               {.d = emitter.register_offset(operands[2], 64),
                .a = staged ? emitter.register_offset(operands[1], 64) : 0,
                .c = columns,
                .list = emitter.list(std::move(offsets))});
}

}  // namespace

Kind decode_warpgroup(Emitter& emitter) {
  const std::string_view mnemonic = emitter.current().mnemonic;
  if (const std::uint32_t columns = warpgroup_columns(mnemonic); columns != 0) {
    emit_product(emitter, columns);
    return Kind::mma;
  }
  if (mnemonic == "wgmma.commit_group.sync.aligned") {
    emitter.emit(opcode_of("commit_group").registers, {});
  } else if (mnemonic == "wgmma.wait_group.sync.aligned") {
    emitter.emit(opcode_of("wait_group").registers, {.immediate = immediate_operand(emitter, 0)});
  } else if (mnemonic != "wgmma.fence.sync.aligned") {  // which ptx::find_misuse has looked at
    emitter.refuse(std::string(refusal_reason(mnemonic)));
  }
  return Kind::other;
}

Kind decode_proxy_fence(Emitter& emitter) {
  emitter.emit(opcode_of("proxy_fence").registers, {});
  return Kind::other;
}

Kind decode_arrive(Emitter& emitter) {
  const std::vector<ptx::Operand>& operands = emitter.current().operands;
  if (operands.size() != 2) emitter.refuse("a barrier and a number of threads are wanted");
  emitter.emit(opcode_of("arrive").registers,
               {.a = emitter.source_offset(operands[0], 32), .b = emitter.source_offset(operands[1], 32)});
  return Kind::barrier;
}

}  // namespace quadpair::emulator
