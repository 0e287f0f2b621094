// Where the PTX ISA puts the elements of mma fragments, as statements about lane and index, and a register
// file to hold them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/common/plan.hpp"

namespace quadpair::test {

constexpr std::uint32_t warp = 32;

/// Counts of 32-bit registers that a lane holds.
struct RegisterCounts {
  std::uint32_t d, a, b;
  std::uint32_t operands() const { return 2 * d + a + b; }
};
constexpr RegisterCounts register_counts(MmaShape shape) {
  switch (shape) {
    case MmaShape::m8n8k4: return {8, 2, 2};
    case MmaShape::m16n8k8: return {4, 2, 1};
    case MmaShape::m16n8k16: return {4, 4, 2};
  }
  return {};
}

/// An element: matrix (the quad-pair of m8n8k4, else 0), row and column.
struct Element {
  std::uint32_t matrix, row, column;
};

/// PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type": element i of A (row-major).
/// The formulas for m16n8k16, with their first elements alone, are those for m16n8k8.
inline Element a_element(MmaShape shape, std::uint32_t lane, std::uint32_t i) {
  if (shape == MmaShape::m8n8k4) return {lane % 16 / 4, lane < 16 ? lane % 4 : lane % 4 + 4, i};
  const std::uint32_t group = lane >> 2, thread = lane % 4;
  const bool upper_row = !((i < 2) || (4 <= i && i < 6));
  return {0, upper_row ? group + 8 : group, thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}

/// Element i of B (column-major): row is k.
inline Element b_element(MmaShape shape, std::uint32_t lane, std::uint32_t i) {
  if (shape == MmaShape::m8n8k4) return {lane % 16 / 4, i, lane < 16 ? lane % 4 : lane % 4 + 4};
  const std::uint32_t group = lane >> 2, thread = lane % 4;
  return {0, thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
}

/// Element i of C and D, FP32.
inline Element d_element(MmaShape shape, std::uint32_t lane, std::uint32_t i) {
  if (shape == MmaShape::m8n8k4) {
    const std::uint32_t x = (lane & 1) + (i & 2);
    return {lane % 16 / 4, lane < 16 ? x : x + 4, (i & 4) + (lane & 2) + (i & 1)};
  }
  const std::uint32_t group = lane >> 2, thread = lane % 4;
  return {0, i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

/// A warp's registers, each 32 lanes of 32 bits.
class RegisterFile {
 public:
  explicit RegisterFile(std::size_t count) : registers_(count) {}

  std::uint32_t& word(std::uint32_t offset, std::uint32_t lane) {
    return registers_[offset / sizeof(Register)].lanes[lane];
  }
  void set_half(std::uint32_t offset, std::uint32_t lane, std::uint32_t index, std::uint16_t h) {
    std::uint32_t& w = word(offset, lane);
    w = index % 2 == 0 ? (w & 0xFFFF0000) | h : (w & 0x0000FFFF) | (std::uint32_t{h} << 16);
  }
  std::byte* data() { return reinterpret_cast<std::byte*>(registers_.data()); }
  std::uint32_t offset_of(std::uint32_t number) const {
    return number * static_cast<std::uint32_t>(sizeof(Register));
  }
  friend bool operator==(const RegisterFile& x, const RegisterFile& y) {
    return std::memcmp(x.registers_.data(), y.registers_.data(), x.registers_.size() * sizeof(Register)) == 0;
  }

 private:
  struct alignas(64) Register {
    std::array<std::uint32_t, warp> lanes{};
  };
  std::vector<Register> registers_;
};

}  // namespace quadpair::test
