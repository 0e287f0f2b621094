#include "harness/device/emulator/ptx/liveness.hpp"

namespace quadpair::ptx {
namespace {

void set(std::uint64_t* bits, int reg) {
  bits[reg / 64] |= std::uint64_t{1} << (reg % 64);
}

bool test(const std::uint64_t* bits, int reg) {
  return (bits[reg / 64] >> (reg % 64)) & 1;
}

/// Registers read before they are written (`read`), and those surely written (`written`), of a block.
void summarise(const Entry& entry, const Block& block, std::uint64_t* read, std::uint64_t* written) {
  for (std::uint32_t i = block.first; i < block.end; ++i) {
    const Instruction& instruction = entry.instructions[i];
    const auto reads = [&](int reg) {
      if (!test(written, reg)) set(read, reg);
    };
    for (int reg : instruction.uses) reads(reg);
    for (int reg : instruction.defs) {
      if (instruction.guard >= 0)
        reads(reg);
      else
        set(written, reg);
    }
  }
}

}  // namespace

Liveness liveness(const Entry& entry, const ControlFlow& flow) {
  const std::size_t blocks = flow.blocks.size(), registers = entry.registers.size();
  Liveness live{{blocks, registers}, {blocks, registers}};
  RegisterSets written(blocks, registers);
  for (std::size_t b = 0; b < blocks; ++b) summarise(entry, flow.blocks[b], live.in.of(b), written.of(b));
  const std::size_t words = written.words();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks; b-- > 0;) {
      std::uint64_t* const out = live.out.of(b);
      for (std::uint32_t successor : flow.blocks[b].successors)
        for (std::size_t w = 0; w < words; ++w) out[w] |= live.in.of(successor)[w];
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t in = live.in.of(b)[w] | (out[w] & ~written.of(b)[w]);
        changed |= in != live.in.of(b)[w];
        live.in.of(b)[w] = in;
      }
    }
  }
  return live;
}

}  // namespace quadpair::ptx
