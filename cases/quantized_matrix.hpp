// One matrix of quantised weights in checkpoint layout, whatever file it came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quadpair::cases {

/// NVFP4 weights, W[row, k] = e2m1(code) . e4m3(scale) . g. Globals are multipliers whatever the file's
/// convention.
struct QuantizedMatrix {
  std::string name;                  ///< as in case ids, e.g. "minilm.0.qkv"
  std::string source;                ///< a virtual or relative file name, or "made-up, seed S"
  std::uint32_t n = 0, k = 0;        ///< logical rows, input features
  std::uint32_t halves = 1;          ///< 2: rows [0,n/2) gate, [n/2,n) up
  std::vector<std::uint8_t> codes;   ///< [n, k/2], even k in the low nibble
  std::vector<std::uint8_t> scales;  ///< [n, k/16] E4M3FN
  std::vector<float> globals;        ///< one, or one per 32-row tile of the padded matrix
};

}  // namespace quadpair::cases
