// ldmatrix: 8x8 matrices of 16-bit elements from rows of 16 bytes in shared memory.
#include "harness/device/emulator/fault.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/device/emulator/opcodes/matrix_load.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file again, per target

#include "harness/device/emulator/opcodes/addresses-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::emulator::HWY_NAMESPACE {
namespace {

constexpr std::uint32_t row_bytes = 16;

/// Row r of matrix i lies where lane 8i + r points; lane l gets elements 2(l % 4) and 2(l % 4) + 1 of row
/// l / 4. Transposed, it gets those of column l / 4.
template <int Matrices, bool Transposed>
HWY_INLINE void load_matrices(const Instruction* ip, std::byte* file, const std::byte* const* rows) {
  for (int i = 0; i < Matrices; ++i) {
    std::uint16_t elements[8][8];
    for (int r = 0; r < 8; ++r) std::memcpy(elements[r], rows[8 * i + r], row_bytes);
    std::uint32_t* to = lanes_at<std::uint32_t>(file, ip->list[i]);
    if constexpr (Transposed) {
      for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane)
        to[lane] = elements[lane % 4 * 2][lane / 4] |
                   static_cast<std::uint32_t>(elements[lane % 4 * 2 + 1][lane / 4]) << 16;
    } else {
      std::memcpy(to, elements, sizeof elements);
    }
  }
}

template <int Matrices, bool Transposed, bool Full, class Domain>
const Instruction* matrix_load(const Instruction* ip, std::byte* file, Context* context) {
  if (!Full && context->active != kAllLanes)
    throw_fault(ip, *context, ~context->active, "ldmatrix reached by a part of the warp");
  constexpr std::uint32_t row_count = 8 * Matrices;
  if ((ip->e & AccessFlags::no_register) == 0) Domain::read(ip, context, ip->a);
  LaneAddresses scratch, hosts;
  const std::uint64_t* addresses = lane_addresses<true>(ip->a, ip->e, file, context, scratch);
  const auto base = reinterpret_cast<std::uint64_t>(context->shared);
  if (Matrices == 4 && all_within<row_bytes>(addresses, ip->immediate, {0, context->shared_bytes})) {
    for (std::uint32_t r = 0; r < row_count; ++r) hosts.at[r] = base + addresses[r] + ip->immediate;
  } else {
    check_lanes(ip, context, addresses, kAllLanes >> (kWarpLanes - row_count), row_bytes, hosts.at);
  }
  const std::byte* rows[row_count];
  for (std::uint32_t r = 0; r < row_count; ++r) rows[r] = reinterpret_cast<const std::byte*>(hosts.at[r]);
  load_matrices<Matrices, Transposed>(ip, file, rows);
  for (int i = 0; i < Matrices; ++i) Domain::write(ip, context, ip->list[i]);
  QUADPAIR_CONTINUE(ip + 1);
}

template <int Matrices, bool Transposed>
constexpr Opcode matrix_opcode(std::string_view name) {
  using D = PlainDomain;
  Opcode opcode;
  opcode.mnemonic = name;
  opcode.kind = Kind::load_shared;
  opcode.widths = {Matrices};
  opcode.registers = {matrix_load<Matrices, Transposed, true, D>,
                      matrix_load<Matrices, Transposed, false, D>};
  return opcode;
}

constexpr Opcode table[] = {
    matrix_opcode<1, false>("x1"),      matrix_opcode<2, false>("x2"),
    matrix_opcode<4, false>("x4"),      matrix_opcode<1, true>("x1.trans"),
    matrix_opcode<2, true>("x2.trans"), matrix_opcode<4, true>("x4.trans"),
};

std::span<const Opcode> matrix_loads() {
  return table;
}

}  // namespace
}  // namespace quadpair::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

QUADPAIR_CHOOSE_AT_RUN_TIME(std::span<const Opcode>, matrix_loads)
