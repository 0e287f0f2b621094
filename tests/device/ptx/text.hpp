// PTX texts for tests.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::ptx {

inline const std::string header = ".version 8.7\n.target sm_80\n.address_size 64\n";

/// A module with one entry "k" of that body. Four registers of each class are declared: %p, %rs, %r, %rd;
/// the body begins on line 6.
inline std::string module_of(const std::string& body) {
  return header + ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n" +
         "{ .reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\n" + body + "\n}\n";
}

inline Entry entry_of(const std::string& body) {
  return parse(module_of(body), "m").entries.at(0);
}

/// The only instruction of a body.
inline Instruction instruction_of(const std::string& text) {
  return entry_of(text).instructions.at(0);
}

inline int register_of(const Entry& entry, const std::string& name) {
  for (std::size_t i = 0; i < entry.registers.size(); ++i)
    if (entry.registers[i].name == name) return static_cast<int>(i);
  throw std::out_of_range(name);
}

/// A file of tests/device/ptx/data.
inline std::string data_file(const std::string& name) {
  std::ifstream file(std::string(QUADPAIR_TEST_DATA) + "/device/ptx/data/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace quadpair::ptx
