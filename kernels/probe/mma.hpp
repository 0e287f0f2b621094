// Matrix instructions on rows of operands, one row a sum: what `probe` asks a device. The contract.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::probe {

/// Rows on the device, n = products(shape) products each.
struct MmaArguments {
  MmaShape shape = MmaShape::m8n8k4;
  std::uint32_t rows = 0;
  DevicePtr operands = 0;  ///< FP16 [rows][2][n]: a, then b; 4-byte aligned
  DevicePtr c = 0;         ///< FP32 [rows]
  DevicePtr d = 0;         ///< FP32 [rows]
};

/// Rows that one instruction evaluates: the diagonals of its products. Row i of A and column i of B are a and
/// b of a row; m8n8k4 has four products of 8x8, of m16n8k8 and m16n8k16 the upper eight rows are used. The
/// rest of C is +0, and so are A's lower rows and the operands past the last row.
constexpr std::uint32_t rows_per_instruction(MmaShape shape) {
  return shape == MmaShape::m8n8k4 ? 32 : 8;
}

/// The launch that sets d = c + sum of a[k] . b[k] by one mma.sync ...f32.f16.f16.f32 a row. Throws Refused
/// for no rows, a null or misaligned pointer, and for another shape than m8n8k4 with target sm70.
std::vector<Launch> mma(const MmaArguments& arguments, Target target);

}  // namespace quadpair::probe
