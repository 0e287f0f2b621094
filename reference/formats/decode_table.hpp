// Decoding an NVFP4 matrix by a rule of rounding: a table of every scale byte and code for each global scale.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "reference/formats/fp16.hpp"
#include "reference/formats/nvfp4.hpp"

namespace quadpair::reference {

/// The FP16 weight of a code under a scale byte.
using DecodeTable = std::array<std::array<Half, 16>, 256>;

/// FP16 weights, row-major [n, k], by the table that `rule` gives for a row's global scale.
std::vector<Half> decode(const Nvfp4View& w, const std::function<DecodeTable(float global)>& rule);

}  // namespace quadpair::reference
