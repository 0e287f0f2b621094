// The 4- and 8-bit storage formats of weights and block scales, by definition.
#pragma once

#include <cstdint>

namespace quadpair::reference {

/// E2M1 code (low 4 bits, s e e m): magnitudes 0, 0.5, 1, 1.5, 2, 3, 4, 6.
float e2m1_value(std::uint8_t code);

/// E4M3FN byte: bias 7, no infinity, 0x7F and 0xFF are NaN, subnormals are multiples of 2^-9, largest 448.
float e4m3_value(std::uint8_t byte);

/// The E4M3FN byte nearest to x, ties to even, clamped to +-448; NaN gives 0x7F.
std::uint8_t to_e4m3(float x);

/// The E2M1 code nearest to x, ties to the even code, clamped to +-6. Throws std::invalid_argument for NaN.
std::uint8_t to_e2m1(float x);

}  // namespace quadpair::reference
