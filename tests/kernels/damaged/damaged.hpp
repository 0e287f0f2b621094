// Kernels damaged on purpose, which every verification must find wrong. For tests only.
#pragma once

#include "kernels/common/module.hpp"

namespace quadpair::damaged {

enum class Damage {
  wrong_shift,      ///< odd codes of a word are shifted by 2 instead of 3 when they are decoded
  dropped_barrier,  ///< slice sums are added without waiting for the other warps
  swapped_scales,   ///< two neighbouring groups use each other's block scales
};

inline constexpr Damage all_damages[] = {Damage::wrong_shift, Damage::dropped_barrier,
                                         Damage::swapped_scales};

constexpr std::string_view to_string(Damage damage) {
  switch (damage) {
    case Damage::wrong_shift: return "wrong_shift";
    case Damage::dropped_barrier: return "dropped_barrier";
    case Damage::swapped_scales: return "swapped_scales";
  }
  return "unknown";
}

/// "qpn2/gemm" compiled from the product's source with one damage: same entries and parameters, so that a
/// Launch of the sound module runs the damaged one once its `module` is replaced.
const Module& damaged_module(Damage damage, Target target);

}  // namespace quadpair::damaged
