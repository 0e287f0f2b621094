#include "harness/device/emulator/fuse/rewrite.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/device/emulator/ptx/dataflow.hpp"

namespace quadpair::emulator {
namespace {

using ptx::Operand;
using ptx::OperandKind;

template <std::size_t N>
bool is_one_of(std::string_view mnemonic, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, mnemonic) != names.end();
}

constexpr std::array<std::string_view, 2> additions64 = {"add.s64", "add.u64"};
constexpr std::array<std::string_view, 2> products = {"mul.f16x2", "mul.rn.f16x2"};

Operand immediate(std::uint64_t value) {
  Operand operand;
  operand.value = value;
  return operand;
}

Operand register_operand(int reg) {
  Operand operand;
  operand.kind = OperandKind::reg;
  operand.reg = reg;
  return operand;
}

bool is_register(const Operand& operand) {
  return operand.kind == OperandKind::reg;
}

bool is_immediate(const Operand& operand) {
  return operand.kind == OperandKind::immediate;
}

void refill_dataflow(ptx::Instruction& instruction) {
  instruction.defs.clear();
  instruction.uses.clear();
  ptx::fill_dataflow(instruction);
}

/// The fused opcode of two fields that does what the mnemonic does, or nothing.
std::string_view operation_on_fields(const ptx::Instruction& instruction) {
  const std::string_view mnemonic = instruction.mnemonic;
  if (mnemonic == "and.b32") return "and+fields";
  if (mnemonic == "or.b32") return "or+fields";
  if (mnemonic == "xor.b32") return "xor+fields";
  if (mnemonic == "add.s32" || mnemonic == "add.u32") return "add+fields";
  // The bits of a where c has ones, of b where it has zeros.
  if (mnemonic == "lop3.b32" && is_immediate(instruction.operands[4]) &&
      instruction.operands[4].value == 0xE4)
    return "select+fields";
  return {};
}

}  // namespace

Rewriter::Rewriter(ptx::Entry& entry, const UndefinedRegisters& undefined, const OpcodeTable& table)
    : entry_(entry), watched_(entry.registers.size()), known_(entry, undefined.numbers), table_(table) {
  for (const std::uint32_t reg : undefined.numbers) watched_[reg] = undefined.watched;
}

void Rewriter::rewrite(const ptx::ControlFlow& flow) {
  for (const ptx::Block& block : flow.blocks) {
    known_.begin_block();
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      rewrite(entry_.instructions[i]);
      note(entry_.instructions[i]);
    }
  }
}

bool Rewriter::touches_watched(const ptx::Instruction& instruction) const {
  const auto watched = [&](int reg) { return watched_[static_cast<std::size_t>(reg)]; };
  return std::ranges::any_of(instruction.defs, watched) || std::ranges::any_of(instruction.uses, watched);
}

void Rewriter::rewrite(ptx::Instruction& instruction) {
  if (touches_watched(instruction)) return;
  take_constants(instruction);
  take_offset(instruction);
  take_product(instruction);
  take_field(instruction);
  take_fields(instruction);
  take_factor(instruction);
}

/// Sources of plain instructions may be constants wherever they may be registers.
void Rewriter::take_constants(ptx::Instruction& instruction) const {
  const bool moves = instruction.mnemonic.starts_with("mov.") && instruction.operands.size() == 2 &&
                     is_register(instruction.operands[0]);
  const Opcode* opcode = table_.find(instruction.mnemonic);
  if (!moves && (opcode == nullptr || opcode->form != Form::plain)) return;
  bool changed = false;
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
    Operand& operand = instruction.operands[i];
    if (!is_register(operand) || operand.negated) continue;
    if (const auto constant = known_.find<Constant>(operand.reg)) {
      operand = immediate(constant->value);
      changed = true;
    }
  }
  if (changed) refill_dataflow(instruction);
}

/// [r] becomes [s + displacement], and r + constant a sum with s.
void Rewriter::take_offset(ptx::Instruction& instruction) const {
  bool changed = false;
  for (Operand& operand : instruction.operands)
    if (operand.kind == OperandKind::address && operand.reg >= 0)
      if (const auto offset = known_.find<Offset>(operand.reg)) {
        operand.reg = offset->source.reg;
        operand.value += offset->displacement;
        changed = true;
      }
  if (changed) refill_dataflow(instruction);
}

/// A sum with a product becomes one mad.wide.
void Rewriter::take_product(ptx::Instruction& instruction) const {
  if (!is_one_of(instruction.mnemonic, additions64)) return;
  for (const std::size_t i : {1u, 2u}) {
    const Operand& factor = instruction.operands[i];
    const Operand addend = instruction.operands[3 - i];
    if (!is_register(factor) || !is_register(addend)) continue;
    const auto product = known_.find<WideProduct>(factor.reg);
    if (!product) continue;
    instruction.mnemonic = product->is_signed ? "mad.wide.s32" : "mad.wide.u32";
    instruction.operands = {instruction.operands[0], register_operand(product->source.reg),
                            immediate(product->factor), addend};
    refill_dataflow(instruction);
    return;
  }
}

Field Rewriter::field_of(const Operand& operand) const {
  if (const auto field = known_.find<Field>(operand.reg)) return *field;
  return {known_.now(operand.reg), 0, ~0u};
}

/// A shift or mask of a field is a field.
void Rewriter::take_field(ptx::Instruction& instruction) const {
  const KnownValue value = value_of(instruction);
  const auto* field = std::get_if<Field>(&value);
  if (field == nullptr || !known_.find<Field>(instruction.operands[1].reg)) return;
  instruction.mnemonic = "field+";
  instruction.operands = {instruction.operands[0], register_operand(field->source.reg),
                          immediate(field->rotation), immediate(field->mask)};
  refill_dataflow(instruction);
}

/// A bitwise operation or a sum takes in fields; the operation on whole registers stays as it is.
void Rewriter::take_fields(ptx::Instruction& instruction) const {
  const std::string_view operation = operation_on_fields(instruction);
  std::vector<Operand>& operands = instruction.operands;
  if (operation.empty() || !is_register(operands[1]) || !is_register(operands[2])) return;
  const bool selects = operands.size() > 3;  // which has no quicker form
  if (!selects && !known_.find<Field>(operands[1].reg) && !known_.find<Field>(operands[2].reg)) return;
  std::vector<Operand> fused = {operands[0]};
  for (const std::size_t i : {1u, 2u}) {
    const Field field = field_of(operands[i]);
    fused.insert(fused.end(),
                 {register_operand(field.source.reg), immediate(field.rotation), immediate(field.mask)});
  }
  if (selects) fused.push_back(operands[3]);
  instruction.mnemonic = operation;
  operands = std::move(fused);
  refill_dataflow(instruction);
}

/// An FP16x2 product takes in a field, where the CPU has instructions for the product.
void Rewriter::take_factor(ptx::Instruction& instruction) const {
  if (!is_one_of(instruction.mnemonic, products) || table_.find("mul+field") == nullptr) return;
  std::vector<Operand>& operands = instruction.operands;
  for (const std::size_t i : {1u, 2u}) {
    if (!is_register(operands[i])) continue;
    const auto field = known_.find<Field>(operands[i].reg);
    if (!field) continue;
    const Operand other = operands[3 - i];
    instruction.mnemonic = "mul+field";
    operands = {operands[0], register_operand(field->source.reg), immediate(field->rotation),
                immediate(field->mask), other};
    refill_dataflow(instruction);
    return;
  }
}

/// What an instruction leaves in its one destination.
KnownValue Rewriter::value_of(const ptx::Instruction& instruction) const {
  const std::vector<Operand>& operands = instruction.operands;
  if (instruction.guard >= 0 || operands.size() < 2 || !is_register(operands[0])) return {};
  const std::string_view mnemonic = instruction.mnemonic;
  if (mnemonic.starts_with("mov.") && operands.size() == 2 && is_immediate(operands[1]))
    return Constant{operands[1].value};
  if (operands.size() != 3 || !is_register(operands[1]) || !is_immediate(operands[2])) return {};
  const std::uint64_t constant = operands[2].value;
  const auto amount = static_cast<std::uint32_t>(constant);
  if (mnemonic == "shl.b32") return field_of(operands[1]).shifted_left(amount);
  if (mnemonic == "shr.u32" || mnemonic == "shr.b32") return field_of(operands[1]).shifted_right(amount);
  if (mnemonic == "and.b32") return field_of(operands[1]).masked(amount);
  if (mnemonic == "mul.wide.u32" || mnemonic == "mul.wide.s32")
    return WideProduct{known_.now(operands[1].reg), constant, mnemonic == "mul.wide.s32"};
  if (is_one_of(mnemonic, additions64)) {
    const auto before = known_.find<Offset>(operands[1].reg);
    return before ? Offset{before->source, before->displacement + constant}
                  : Offset{known_.now(operands[1].reg), constant};
  }
  return {};
}

void Rewriter::note(const ptx::Instruction& instruction) {
  const KnownValue value = touches_watched(instruction) ? KnownValue{} : value_of(instruction);
  for (const int reg : instruction.defs) known_.define(reg, value);
}

}  // namespace quadpair::emulator
