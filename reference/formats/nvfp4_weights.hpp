// The FP16 weights of an NVFP4 matrix under a rule of rounding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/formats/fp16.hpp"
#include "reference/formats/nvfp4.hpp"

namespace quadpair::reference {

/// How weights are rounded: w = h((e2m1(code) . 2^exponent) . scale). The first factor is exact in FP16.
struct Nvfp4Rule {
  Half (*scale)(std::uint8_t byte, float global);
  int exponent = 0;
};

/// What each scale byte means under one global scale.
struct ScaleMeaning {
  std::array<std::array<Half, 16>, 256> weights{};  ///< of each code
  std::array<float, 256> scales{};                  ///< scale . 2^exponent
  std::array<bool, 256> finite{};                   ///< the weight of every code is
};

/// A matrix with its rule. The view's data must outlive it.
class Nvfp4Weights {
 public:
  /// Throws std::invalid_argument when the buffers do not have the view's shape.
  Nvfp4Weights(const Nvfp4View& view, const Nvfp4Rule& rule);

  const Nvfp4View& view() const { return view_; }
  const ScaleMeaning& meaning_of_row(std::uint32_t row) const;

  /// The row's `k` weights.
  void row(std::uint32_t row, Half* to) const;

 private:
  Nvfp4View view_;
  std::vector<ScaleMeaning> meanings_;  ///< of the different global scales
  std::vector<std::size_t> of_global_;  ///< which of them is a global scale's
};

/// All rows, [n, k].
std::vector<Half> decode(const Nvfp4View& view, const Nvfp4Rule& rule);

}  // namespace quadpair::reference
