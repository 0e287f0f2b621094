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

/// The factors of each product that enters accumulator `element` of `lane`, in the order of the instruction's
/// own k: the fragment layouts of the PTX ISA ("Matrix Fragments for mma.m8n8k4/m16n8k8/m16n8k16", .row.col).
std::vector<FactorPlaces> factors_of(MmaShape shape, std::uint32_t lane, std::uint32_t element);

}  // namespace quadpair::emulator
