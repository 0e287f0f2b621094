// The gated epilogue, from operations that a GPU and a CPU round alike: FMA and IEEE division.
#include "reference/gemm/gated.hpp"

#include <bit>
#include <cmath>

namespace quadpair::reference {
namespace {

/// 2^e for e in [-126, 127].
float power_of_two(int e) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(e + 127) << 23);
}

}  // namespace

float gated_exp(float t) {
  t = std::fmin(std::fmax(t, -104.0F), 104.0F);  // a NaN becomes a number
  constexpr float magic = 0x1.8p+23F;            // adding it rounds to an integer
  const float n = std::fma(t, 0x1.715476p+0F, magic) - magic;
  float r = std::fma(n, -0x1.62e400p-1F, t);
  r = std::fma(n, -0x1.7f7d1cp-20F, r);
  constexpr float coefficients[] = {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 1.0F / 2, 1.0F, 1.0F};
  float p = 1.0F / 5040;
  for (const float coefficient : coefficients) p = std::fma(p, r, coefficient);
  const int exponent = static_cast<int>(n);
  const int a = exponent >> 1;
  return p * power_of_two(a) * power_of_two(exponent - a);
}

Half silu(Half gate) {
  const float x = to_float(gate);
  return to_half(x / (1.0F + gated_exp(-x)));
}

Half gated_epilogue(Half gate, Half up) {
  return mul(silu(gate), up);
}

}  // namespace quadpair::reference
