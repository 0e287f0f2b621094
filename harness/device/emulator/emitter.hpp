// The two instruction arrays while they are built: operands become register file offsets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/opcode_table.hpp"
#include "harness/device/emulator/opcodes/observe.hpp"
#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/types.hpp"

namespace quadpair::emulator {

class Emitter {
 public:
  Emitter(const ptx::Entry& entry, ptx::Slots slots, const OpcodeTable& table, Kernel& kernel)
      : entry_(entry),
        slots_(std::move(slots)),
        table_(table),
        observers_(observers(kernel.observation)),
        kernel_(kernel) {
    kernel_.file_bytes = slots_.bytes;
  }

  /// The entry's instruction that all that follows comes from, and the number of its line.
  void at(std::size_t instruction, std::size_t line) {
    instruction_ = instruction;
    line_ = line;
  }

  /// device::Fault that names the current instruction.
  [[noreturn]] void refuse(const std::string& why) const;

  /// Appends to both arrays; yields the index.
  std::uint32_t emit(const Handlers& handlers, const Instruction& instruction);

  /// A memory access, with its observer; gives it its site.
  void emit_access(const Handlers& handlers, const Instruction& instruction, Access access);
  /// A cp.async of that many bytes a lane.
  void emit_copy(const Handlers& handlers, const Instruction& instruction, std::uint32_t bytes);
  /// An observer, in kernels that are observed for faults.
  void emit_when_watched(Handlers Observers::*handlers, const Instruction& instruction);

  std::uint32_t next() const { return static_cast<std::uint32_t>(kernel_.full.size()); }

  /// Where a register lives; it must have the width.
  std::uint32_t register_offset(const ptx::Operand& operand, std::uint8_t width) const;
  std::uint32_t register_offset(int reg, std::uint8_t width) const;

  /// Where a source's value lives: a register, or a slot that holds the constant; may emit the negation of a
  /// predicate.
  std::uint32_t source_offset(const ptx::Operand& operand, std::uint8_t width);

  std::uint8_t register_width(const ptx::Operand& operand) const;

  std::uint32_t new_slot();  ///< 32 lanes of 64 bits
  std::uint32_t constant(std::uint64_t value, std::uint8_t width);
  const std::uint32_t* list(std::vector<std::uint32_t> offsets);
  const OpcodeTable& table() const { return table_; }
  Kernel& kernel() { return kernel_; }
  const ptx::Instruction& current() const { return entry_.instructions[instruction_]; }

 private:
  const ptx::Entry& entry_;
  ptx::Slots slots_;
  const OpcodeTable& table_;
  Observers observers_;
  Kernel& kernel_;
  std::size_t instruction_ = 0, line_ = 0;
};

/// Emits one PTX instruction that is no branch or exit, without its guard; yields its kind.
Kind decode_instruction(Emitter& emitter);

Kind decode_move(Emitter& emitter);
Kind decode_integer_conversion(Emitter& emitter);
Kind decode_address_conversion(Emitter& emitter);
Kind decode_memory(Emitter& emitter);
Kind decode_async_copy(Emitter& emitter);
Kind decode_matrix_load(Emitter& emitter);
Kind decode_warpgroup(Emitter& emitter);
Kind decode_proxy_fence(Emitter& emitter);
Kind decode_arrive(Emitter& emitter);

void emit_fields(Emitter& emitter, const Opcode& opcode);
void emit_constants(Emitter& emitter);
/// 32-bit registers that all get the value.
void emit_constants(Emitter& emitter, std::vector<std::uint32_t> offsets, std::uint64_t value);

/// The parts of "[%r1+16]"; `flags` are AccessFlags.
struct Address {
  std::uint32_t reg = 0;  ///< of the register file
  std::uint64_t displacement = 0;
  std::uint32_t flags = 0;
};
/// Refuses what is no address; 32-bit registers hold `shared` addresses only.
Address address_of(const Emitter& emitter, const ptx::Operand& operand, bool shared);

/// The value of an operand that must be a constant.
std::uint64_t immediate_operand(const Emitter& emitter, std::size_t index);

}  // namespace quadpair::emulator
