// PTX as data: what the parser yields and the analyses and the executor read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::ptx {

enum class RegisterClass : std::uint8_t { predicate, b16, b32, b64 };

struct Register {
  std::string name;  ///< "%r12"; registers of inner scopes are renamed to stay unique
  RegisterClass cls;
};

enum class OperandKind : std::uint8_t {
  reg,        ///< `reg`, negated ("!%p1") when `negated`
  immediate,  ///< `value`: the bit pattern, sign-extended integers, 0f/0d floats as their bits
  special,    ///< `name`: "%tid.x", "%ctaid.y", "%laneid", ...
  address,    ///< [reg + value], [symbol + value] (reg < 0, `name` set, `value` the sum) or [value]
  vector,     ///< `elements`; "p|q" too, so that two destinations are one operand
  label,      ///< `value`: index of the instruction it stands before, instructions.size() for the end
  symbol,     ///< `name`: a shared variable or a parameter, `value` its offset in its window
};

struct Operand {
  OperandKind kind = OperandKind::immediate;
  int reg = -1;
  bool negated = false;
  std::uint64_t value = 0;
  std::string name;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string mnemonic;           ///< whole, e.g. "ld.global.nc.v4.u32"
  std::vector<Operand> operands;  ///< in PTX order, destination first where there is one
  int guard = -1;                 ///< predicate register of @p, or -1
  bool guard_negated = false;
  std::vector<int> defs,
      uses;  ///< registers written and read (the guard, address registers and vector elements included)
  std::uint32_t ptx_line = 0;                      ///< 1-based
  std::uint32_t source_file = 0, source_line = 0;  ///< from .loc, 0 when there is none
  std::uint32_t caller_file = 0, caller_line = 0;  ///< where that line is inlined, 0 when it is not
  std::string text;                                ///< as written, for messages
};

struct Parameter {
  std::string name;
  std::uint32_t offset = 0, size = 0, align = 1;
};

struct SharedVariable {
  std::string name;
  std::uint32_t offset = 0, size = 0,
                align = 1;  ///< offset in the block's shared window; size 0: dynamic (extern)
};

struct Entry {
  std::string name;
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::vector<Register> registers;
  std::vector<SharedVariable> shared;
  std::uint32_t shared_bytes = 0;         ///< static shared memory, up to where dynamic memory begins
  std::vector<Instruction> instructions;  ///< labels are resolved to indices; one past the end is a return
  std::uint32_t max_threads = 0;          ///< .maxntid product, 0 if none
};

struct SourceFile {
  std::uint32_t id;
  std::string path;
};

struct Program {
  std::string version, target;  ///< "8.7", "sm_70"
  std::vector<SourceFile> files;
  std::vector<Entry> entries;
};

}  // namespace quadpair::ptx
