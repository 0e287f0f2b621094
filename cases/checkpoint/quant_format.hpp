// What a checkpoint declares about its quantised tensors.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::cases {

/// How a scale acts on codes.
enum class ScaleSense { multiplier, divisor };

/// Names and meaning of the tensors of one NVFP4 matrix "X": codes U8 [n, k/2] "X" + codes, block scales
/// F8_E4M3 [n, k/16] "X" + scales, one F32 "X" + global.
struct Nvfp4Format {
  std::string_view codes, scales, global;
  ScaleSense sense = ScaleSense::multiplier;  ///< of the global scale
};

/// compressed-tensors `nvfp4-pack-quantized`: the global scale divides.
inline constexpr Nvfp4Format compressed_tensors_nvfp4 = {".weight_packed", ".weight_scale",
                                                         ".weight_global_scale", ScaleSense::divisor};

/// ModelOpt NVFP4: `weight_scale_2` multiplies.
inline constexpr Nvfp4Format modelopt_nvfp4 = {".weight", ".weight_scale", ".weight_scale_2",
                                               ScaleSense::multiplier};

/// Names of the tensors of one FP8 matrix "X": codes F8_E4M3 [n, k] "X.weight", and scales that multiply. The
/// shape of the scales says whether they belong to the matrix, to rows or to 128x128 blocks.
struct Fp8Format {
  std::string_view scales;
};

/// One source of declarations: config.json's quantization_config, or hf_quant_config.json.
struct QuantFormat {
  std::string declared;  ///< for people: "config.json: compressed-tensors nvfp4-pack-quantized"
  std::optional<Nvfp4Format> nvfp4;
  std::optional<Fp8Format> fp8;
  std::vector<std::string> ignored;  ///< modules that are not quantised: names, globs, or "re:" expressions

  /// Whether the declaration lists the module as not quantised: by its name, a folder of it, a glob with `*`
  /// and `?`, or "re:" and an RE2 expression that matches from the start. Throws DataError for an
  /// expression that is none.
  bool ignores(std::string_view module) const;
};

/// What `quantization_config` of a config says: compressed-tensors, ModelOpt or native FP8. Throws DataError
/// naming `file` and the value for a method, format, number of bits, strategy or group size that is not read
/// here.
QuantFormat parse_quantization_config(const nlohmann::json& config, const std::string& file);

/// What a ModelOpt hf_quant_config.json says. Throws DataError.
QuantFormat parse_hf_quant_config(const nlohmann::json& document, const std::string& file);

}  // namespace quadpair::cases
