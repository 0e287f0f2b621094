// Where the lanes of a warp hold the operands of one accumulator of an mma.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/common/plan.hpp"

namespace quadpair::emulator {

/// Half `half` of register `reg` of a fragment.
struct FragmentPlace {
  std::uint32_t lane = 0, reg = 0, half = 0;
};

struct FactorPlaces {
  FragmentPlace a, b;
};

/// The shape of an mma by its mnemonic; nothing for other instructions.
std::optional<MmaShape> mma_shape(std::string_view mnemonic);

/// Element (row, column) of an m16n8k16 that accumulator `element` of `lane` is: of the rows of a and columns
/// of b that a warp has of a wgmma too.
struct ElementPlace {
  std::uint32_t row = 0, column = 0;
};
constexpr ElementPlace native_element(std::uint32_t lane, std::uint32_t element) {
  return {lane / 4 + element / 2 * 8, lane % 4 * 2 + element % 2};
}

/// The factors of each product that enters accumulator `element` of `lane`, in the order of the instruction's
/// own k: the fragment layouts of the PTX ISA ("Matrix Fragments for mma.m8n8k4/m16n8k8/m16n8k16", .row.col).
std::vector<FactorPlaces> factors_of(MmaShape shape, std::uint32_t lane, std::uint32_t element);

}  // namespace quadpair::emulator
