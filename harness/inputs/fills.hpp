// How the activations of a case are filled.
#pragma once

#include <cstdint>
#include <vector>

#include "cases/heads.hpp"
#include "cases/quantized_matrix.hpp"
#include "cases/random.hpp"

namespace quadpair::inputs {

struct FillRequest {
  const cases::QuantizedMatrix& weights;
  std::uint32_t m;             ///< rows
  unsigned round;              ///< 0: eager; 1, 2, ...: replays
  cases::RandomStream stream;  ///< of slice, fill, seed and round; element i of the rows draws from its index
};

/// FP16 bits [m, k] with k = weights.k.
using Fill = std::vector<std::uint16_t> (*)(const FillRequest&);

/// About normal with deviation 1: the sum of twelve uniform 16-bit numbers, moved to mean 0.
std::vector<std::uint16_t> fill_normal(const FillRequest& request);

/// Heavy-tailed, as trained networks' activations are: deviation 1/4, and 8 times rarer for each doubling.
std::vector<std::uint16_t> fill_heavy(const FillRequest& request);

/// FP16 subnormals of either sign, none zero, their magnitudes spread over all powers of two.
std::vector<std::uint16_t> fill_subnormal(const FillRequest& request);

/// Integers in -8..8: over weights that are small multiples of 1/2, every sum is exact in any order.
std::vector<std::uint16_t> fill_exact(const FillRequest& request);

/// Normal numbers; of four rows the first holds one infinity, the second a NaN, the third both infinities.
std::vector<std::uint16_t> fill_special(const FillRequest& request);

/// Row i holds 1 at k = round m + i (mod K) and zeros elsewhere: each output is one weight.
std::vector<std::uint16_t> fill_onehot(const FillRequest& request);

/// Every FP16 bit pattern in turn: element i of the rows is i + round . K/2, modulo 2^16.
std::vector<std::uint16_t> fill_bits(const FillRequest& request);

/// In turn gates whose silu lies so near the middle between two FP16 numbers that the last bit of an FP32
/// step decides how it rounds, and gates below -104 or above 88, whose exp is 0, infinite or clamped; the
/// last element of a row is 1.
std::vector<std::uint16_t> fill_gates(const FillRequest& request);

/// Large pairs that cancel: each row picks one output feature, and inside each group of 16 k pairs codes of
/// equal magnitude there, so that their products are opposite and only small terms remain.
std::vector<std::uint16_t> fill_cancel(const FillRequest& request);

/// Rows of the slice's real activations, beginning elsewhere in each round. Throws DataError without them.
std::vector<std::uint16_t> fill_real(const FillRequest& request);

/// Like a model's last hidden states, [m, k]: normal numbers, and beside them four vocabulary rows of the
/// head at random, normalised, the first up to half as strong as the noise, each next one half of the one
/// before.
std::vector<std::uint16_t> fill_hidden(const cases::HeadMatrix& head, std::uint32_t m,
                                       const cases::RandomStream& stream);

/// One draw of fill_normal, exact as FP32: a multiple of 2^-16 of magnitude below 6.
float draw_normal(const cases::RandomStream& stream, std::uint64_t index);

}  // namespace quadpair::inputs
