// The matrix instructions from the scalar models, element by element, with the fragment layouts of the
// PTX ISA ("Matrix Fragments for mma.m8n8k4 / m16n8k8 / m16n8k16 with .f16").
#include <array>
#include <cstring>
#include <stdexcept>

#include "reference/tensor_core/warp_mma.hpp"

namespace quadpair::reference {
namespace {

constexpr std::uint32_t lanes = 32;
using Register = std::array<std::uint32_t, lanes>;

Register load(const std::byte* file, std::uint32_t offset) {
  Register r;
  std::memcpy(r.data(), file + offset, sizeof(r));
  return r;
}

std::uint16_t half_of(std::uint32_t word, std::uint32_t index) {
  return static_cast<std::uint16_t>(word >> (16 * index));
}

/// m8n8k4: quad-pair q is lanes 4q..4q+3 and 16+4q..16+4q+3; row r of A (column r of B) lies in the lane
/// of the quad-pair numbered r, its four k in two registers.
template <Model model>
void scalar_m8n8k4(std::byte* file, const std::uint32_t* operands) {
  const Register a[2] = {load(file, operands[16]), load(file, operands[17])};
  const Register b[2] = {load(file, operands[18]), load(file, operands[19])};
  Register d[8];
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Register c = load(file, operands[8 + i]);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::uint32_t quad_pair = (lane >> 2) & 3;
      const std::uint32_t row = (lane & 1) + (i & 2) + (lane >= 16 ? 4 : 0);
      const std::uint32_t column = (i & 4) + (lane & 2) + (i & 1);
      const std::uint32_t a_lane = 4 * quad_pair + (row & 3) + (row >= 4 ? 16 : 0);
      const std::uint32_t b_lane = 4 * quad_pair + (column & 3) + (column >= 4 ? 16 : 0);
      std::uint16_t a_k[4], b_k[4];
      for (std::uint32_t k = 0; k < 4; ++k) {
        a_k[k] = half_of(a[k / 2][a_lane], k % 2);
        b_k[k] = half_of(b[k / 2][b_lane], k % 2);
      }
      d[i][lane] = fused_sum(model, a_k, b_k, c[lane]);
    }
  }
  for (std::uint32_t i = 0; i < 8; ++i) std::memcpy(file + operands[i], d[i].data(), sizeof(d[i]));
}

/// m16n8kK, K = 8 or 16: group g = lane / 4 holds rows g and g + 8 of A and column g of B; lane t of a group
/// holds k 2t, 2t+1 (then 2t+8, 2t+9) and columns 2t, 2t+1 of the result.
template <Model model, std::uint32_t K>
void scalar_m16n8(std::byte* file, const std::uint32_t* operands) {
  constexpr std::uint32_t a_registers = K / 4, b_registers = K / 8;
  Register a[a_registers], b[b_registers];
  for (std::uint32_t i = 0; i < a_registers; ++i) a[i] = load(file, operands[8 + i]);
  for (std::uint32_t i = 0; i < b_registers; ++i) b[i] = load(file, operands[8 + a_registers + i]);
  Register d[4];
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Register c = load(file, operands[4 + i]);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::uint32_t group = lane / 4;
      const std::uint32_t column = 2 * (lane % 4) + i % 2;
      std::uint16_t a_k[K], b_k[K];
      for (std::uint32_t k = 0; k < K; ++k) {
        const std::uint32_t thread = (k % 8) / 2;
        a_k[k] = half_of(a[i / 2 + 2 * (k / 8)][4 * group + thread], k % 2);
        b_k[k] = half_of(b[k / 8][4 * column + thread], k % 2);
      }
      d[i][lane] = fused_sum(model, a_k, b_k, c[lane]);
    }
  }
  for (std::uint32_t i = 0; i < 4; ++i) std::memcpy(file + operands[i], d[i].data(), sizeof(d[i]));
}

}  // namespace

WarpMma warp_mma_scalar(Model model, MmaShape shape) {
  if (defines(model, shape)) {
    const bool k8 = shape == MmaShape::m16n8k8;
    switch (model) {
      case Model::volta: return scalar_m8n8k4<Model::volta>;
      case Model::turing: return k8 ? scalar_m16n8<Model::turing, 8> : scalar_m8n8k4<Model::turing>;
      case Model::fma_lowered: return scalar_m8n8k4<Model::fma_lowered>;
      case Model::ampere: return k8 ? scalar_m16n8<Model::ampere, 8> : scalar_m16n8<Model::ampere, 16>;
      case Model::hopper: return k8 ? scalar_m16n8<Model::hopper, 8> : scalar_m16n8<Model::hopper, 16>;
    }
  }
  throw std::invalid_argument("tensor-core model " + std::string(to_string(model)) + " does not define " +
                              std::string(to_string(shape)));
}

}  // namespace quadpair::reference
