// How one stored number came about, as a device that can be watched tells it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/common/launch.hpp"

namespace quadpair::device {

/// An instruction of a kernel.
struct CodeLine {
  std::string text, mnemonic;  ///< PTX, e.g. "add.rn.f32 %f3, %f1, %f2"; "add.rn.f32"
  std::uint32_t ptx_line = 0;
  std::string source;  ///< "kernels/common/device.cuh:24"; empty where the code does not say
  std::string caller;  ///< where that is inlined
  friend bool operator==(const CodeLine&, const CodeLine&) = default;
};

/// A part of a node's value: the bits from `shift` on.
struct Piece {
  std::uint32_t node = 0, shift = 0;
  friend auto operator<=>(const Piece&, const Piece&) = default;
};

/// A value that one lane got by one execution of an instruction.
struct Node {
  enum class Kind : std::uint8_t {
    constant,   ///< in the instruction that uses it
    parameter,  ///< of the launch, or a special register
    load,       ///< read from `buffer` at `offset`, `bytes` at once
    copy,       ///< into shared memory or out of it: of its only input
    mma,  ///< one accumulator; inputs: c, then a and b (FP16) of each product, in the instruction's own k
          ///< order
    computed,  ///< inputs: the instruction's operands, in their order
    unwritten  ///< read where nothing had been written
  };
  Kind kind = Kind::constant;
  std::uint32_t code = 0;  ///< of History::code
  std::uint32_t warp = 0, lane = 0;
  std::uint64_t bits = 0;
  std::vector<Piece> inputs;
  std::uint32_t result = 0;  ///< computed: which of the instruction's results it is
  std::uint32_t buffer = 0;  ///< of History::buffers
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
};

struct History {
  std::string kernel;  ///< "qpn2/gemm.sm70:qpn2_gemm_s8_c2_r1"
  Dim3 block;
  std::vector<CodeLine> code;
  std::vector<std::string> buffers;
  std::vector<Node> nodes;
  Piece stored;                 ///< what was written
  std::uint32_t stored_by = 0;  ///< of `code`
};

}  // namespace quadpair::device
