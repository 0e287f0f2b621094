// Code from one 16-bit number to another, tried with all numbers that there are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/device/emulator/emulator.hpp"
#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/mutate/equivalence/facts.hpp"

namespace quadpair::mutate {

class HalfFunctions {
 public:
  /// Both outlive it.
  HalfFunctions(const ptx::Entry& entry, const Facts& facts);

  /// Whether the instruction's result has a part in nothing but 16-bit numbers, each of these is computed
  /// from one other in the same run of instructions, and is the same for all 65,536 values of that with
  /// `damaged` in the place of instruction `index`.
  bool same(std::size_t index, const ptx::Instruction& damaged);

 private:
  using Halves = std::vector<std::uint16_t>;
  struct Code {
    int from = -1;     ///< the register
    std::string text;  ///< of the instructions, in order
  };

  std::vector<std::size_t> ends_of(std::size_t index) const;
  bool same_at(std::size_t end, std::size_t index, const ptx::Instruction& damaged);
  std::optional<Code> code(std::size_t index, const ptx::Instruction& there, std::size_t end) const;
  std::optional<Halves> results(const Code& code, int to, unsigned blocks);

  const ptx::Entry& entry_;
  const Facts& facts_;
  std::unordered_map<std::string, Halves> sound_;  ///< of all numbers, by text
  device::Variant variant_;
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<device::Buffer> out_;
  Module module_{};
  std::uint64_t programs_ = 0;
};

}  // namespace quadpair::mutate
