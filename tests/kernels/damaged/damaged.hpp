// Kernels damaged on purpose, which every verification must find wrong. For tests only.
#pragma once

#include <iosfwd>
#include <string>

#include "kernels/common/module.hpp"

namespace quadpair::damaged {

enum class Damage {
  wrong_shift,  ///< odd codes of a word are shifted by 2 instead of 3 when they are decoded, or FP8 ones by 2
                ///< instead of 1
  dropped_barrier,   ///< slice sums are added without waiting for the other warps
  swapped_scales,    ///< two neighbouring groups use each other's block scales
  exchanged_halves,  ///< gate . silu(up) instead of silu(gate) . up
  nibble_order,      ///< codes are packed in their logical order
  cut_codes,         ///< codes are cut off instead of rounded
  highest_id,        ///< ties go to the highest id
};

std::string_view to_string(Damage damage);

/// A module and what is wrong with it.
struct Variant {
  std::string_view module;  ///< e.g. "qpn2/gemm"
  Damage damage;
};

inline constexpr Variant all_variants[] = {
    {"qpn2/gemm", Damage::wrong_shift},
    {"qpn2/gemm", Damage::dropped_barrier},
    {"qpn2/gemm", Damage::swapped_scales},
    {"qpn2/gated", Damage::wrong_shift},
    {"qpn2/gated", Damage::dropped_barrier},
    {"qpn2/gated", Damage::swapped_scales},
    {"qpn2/gated", Damage::exchanged_halves},
    {"convert/pack_qpn2", Damage::nibble_order},
    {"convert/pack_qpn2", Damage::swapped_scales},
    {"qpn8/gemm", Damage::wrong_shift},
    {"qpn8/gemm", Damage::dropped_barrier},
    {"qpn8/pack", Damage::nibble_order},
    {"qpn8/quantize", Damage::cut_codes},
    {"lm_head/screen", Damage::highest_id},
    {"lm_head/rerank", Damage::highest_id},
    {"lm_head/top1", Damage::highest_id},
};

/// "convert_pack_qpn2_nibble_order": for names of tests.
std::string label(const Variant& variant);
void PrintTo(const Variant& variant, std::ostream* out);

/// The module compiled from the product's source with the damage: same entries and parameters, so that a
/// Launch of the sound module runs the damaged one once its `module` is replaced.
const Module& damaged_module(const Variant& variant, Target target);

/// The damaged module in place of the sound one, all others sound.
const Module& find_module(const Variant& variant, std::string_view name, Target target);

}  // namespace quadpair::damaged
