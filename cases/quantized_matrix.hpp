// One matrix of quantised weights in checkpoint layout, whatever file it came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quadpair::cases {

/// What codes and scales mean.
enum class WeightFormat {
  nvfp4,        ///< W[row, k] = e2m1(code) . e4m3(scale of 16 k) . g
  fp8_channel,  ///< W[row, k] = e4m3(code) . scale of the row
  fp8_block     ///< W[row, k] = e4m3(code) . scale of the 128x128 block
};

/// Globals and FP8 scales are multipliers whatever the file's convention.
struct QuantizedMatrix {
  std::string name;                  ///< as in case ids, e.g. "minilm.0.qkv"
  std::string source;                ///< a virtual or relative file name, or "made-up, seed S"
  std::uint32_t n = 0, k = 0;        ///< logical rows, input features
  std::uint32_t halves = 1;          ///< 2: rows [0,n/2) gate, [n/2,n) up
  std::vector<std::uint8_t> codes;   ///< NVFP4 [n, k/2], even k in the low nibble; FP8 E4M3FN [n, k]
  std::vector<std::uint8_t> scales;  ///< NVFP4 [n, k/16] E4M3FN; FP8: empty
  std::vector<float> globals;        ///< NVFP4: one, or one per 32-row tile of the padded matrix
  WeightFormat format = WeightFormat::nvfp4;
  std::vector<float> fp8_scales{};  ///< fp8_channel [n]; fp8_block [ceil(n/128), ceil(k/128)]
  /// FP16 [n, k] of which qpn8_quantize makes exactly these codes and scales (fp8_channel); empty where they
  /// came quantised, or of other numbers.
  std::vector<std::uint16_t> fp16{};
};

}  // namespace quadpair::cases
