// Tensor-core arithmetic as named models: pure functions, bit for bit (see docs/arithmetic.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/common/plan.hpp"

namespace quadpair::reference {

/// How a GPU's matrix instruction accumulates.
enum class Model { volta, turing, ampere, hopper, fma_lowered };

inline constexpr Model all_models[] = {Model::volta, Model::turing, Model::ampere, Model::hopper,
                                       Model::fma_lowered};

std::string_view to_string(Model model);  ///< "fma-lowered" with a hyphen
std::optional<Model> model_from_string(std::string_view name);

/// Whether the model defines the instruction: m8n8k4 on volta, turing and fma-lowered; m16n8k8 on turing,
/// ampere and hopper; m16n8k16 on ampere and hopper.
bool defines(Model model, MmaShape shape);

/// Whose arithmetic the instruction has on a GPU of the model: the model's own where it defines it;
/// fma-lowered for m8n8k4 on ampere and hopper; else nothing.
std::optional<Model> arithmetic_on(Model gpu, MmaShape shape);

/// One fused step: c plus the n = a.size() products a[i].b[i] (FP16 bits), FP32 bits in and out. n is the
/// model's step width: 4 (volta; turing), 8 (turing; ampere), 8 or 16 (hopper), 4 (fma-lowered).
/// Ampere with 16 products is the instruction m16n8k16: k 0-7 into c, then k 8-15.
/// Throws std::invalid_argument for a width that the model does not have.
std::uint32_t fused_sum(Model model, std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                        std::uint32_t c);

/// The step T(F; p_1..p_n, c) itself: exact products, all terms truncated to 2^(E-F), summed exactly and
/// truncated to FP32.
std::uint32_t truncating_sum(int f, std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                             std::uint32_t c);

}  // namespace quadpair::reference
