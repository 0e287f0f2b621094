#include "cases/checkpoint/quant_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cases/checkpoint/json_fields.hpp"
#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

using Json = nlohmann::json;

constexpr Fp8Format plain_fp8 = {".weight_scale"}, inverse_named_fp8 = {".weight_scale_inv"};

/// Refuses a field that has another value than the one read here.
template <class Value>
void require_value(const Json& object, const char* key, const Value& wanted, const std::string& where) {
  if (const Json* field = find_field(object, key); field != nullptr && !field->is_null() && *field != wanted)
    throw DataError(
        fmt::format("{}/{} is {}; only {} is read", where, key, value_text(*field), Json(wanted).dump()));
}

/// One entry of config_groups of compressed-tensors (or of ModelOpt's config.json).
void read_group(const Json& group, const std::string& where, QuantFormat& format, const Nvfp4Format& nvfp4) {
  const Json* weights = find_field(group, "weights");
  if (weights == nullptr || !weights->is_object())
    throw DataError(fmt::format("{}/weights is missing", where));
  const std::string place = where + "/weights";
  require_value(*weights, "type", "float", place);
  const Json* bits = find_field(*weights, "num_bits");
  if (bits != nullptr && *bits == 4) {
    require_value(*weights, "group_size", 16, place);
    require_value(*weights, "strategy", "tensor_group", place);
    format.nvfp4 = nvfp4;
  } else if (bits != nullptr && *bits == 8) {
    if (const Json* strategy = find_field(*weights, "strategy"))
      if (*strategy != "channel" && *strategy != "tensor" && *strategy != "block")
        throw DataError(fmt::format("{}/strategy is {}; channel, tensor and block are read", place,
                                    value_text(*strategy)));
    require_value(*weights, "block_structure", Json::array({128, 128}), place);
    format.fp8 = plain_fp8;
  } else {
    throw DataError(fmt::format("{}/num_bits is {}; 4 and 8 are read", place,
                                bits == nullptr ? "missing" : value_text(*bits)));
  }
}

void read_groups(const Json& config, const std::string& where, QuantFormat& format,
                 const Nvfp4Format& nvfp4) {
  const Json* groups = find_field(config, "config_groups");
  if (groups == nullptr) return;
  if (!groups->is_object()) throw DataError(fmt::format("{}/config_groups is no object", where));
  for (const auto& [name, group] : groups->items())
    read_group(group, fmt::format("{}/config_groups/{}", where, name), format, nvfp4);
}

QuantFormat compressed_tensors(const Json& config, const std::string& file, const std::string& where) {
  QuantFormat format;
  const std::string name = text_field(config, "format", where).value_or("");
  constexpr std::array known = {"nvfp4-pack-quantized", "float-quantized", "mixed-precision"};
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw DataError(
        fmt::format("{}/format is \"{}\"; nvfp4-pack-quantized, float-quantized and mixed-precision are read",
                    where, name));
  format.declared = fmt::format("{}: compressed-tensors {}", file, name);
  read_groups(config, where, format, compressed_tensors_nvfp4);
  if (name == "nvfp4-pack-quantized") format.nvfp4 = compressed_tensors_nvfp4;
  if (name == "float-quantized") format.fp8 = plain_fp8;
  format.ignored = text_list(config, "ignore", where);
  return format;
}

/// A ModelOpt algorithm, of the whole model or of one layer.
void read_algorithm(const std::string& name, const std::string& where, QuantFormat& format) {
  if (name == "NVFP4" || name == "W4A16_NVFP4" || name == "W4A4_NVFP4")
    format.nvfp4 = modelopt_nvfp4;
  else if (name == "FP8" || name == "FP8_PER_CHANNEL_PER_TOKEN" || name == "FP8_PB_WO")
    format.fp8 = plain_fp8;
  else
    throw DataError(
        fmt::format("{} is \"{}\"; NVFP4, W4A16_NVFP4, W4A4_NVFP4, FP8, "
                    "FP8_PER_CHANNEL_PER_TOKEN, FP8_PB_WO and MIXED_PRECISION are read",
                    where, name));
}

QuantFormat modelopt(const Json& config, const std::string& file, const std::string& where) {
  QuantFormat format;
  const auto algorithm = text_field(config, "quant_algo", where);
  if (!algorithm) throw DataError(fmt::format("{}/quant_algo is missing", where));
  format.declared = fmt::format("{}: ModelOpt {}", file, *algorithm);
  require_value(config, "group_size", 16, where);
  if (*algorithm == "MIXED_PRECISION") {
    const Json* layers = find_field(config, "quantized_layers");
    if (layers == nullptr || !layers->is_object())
      throw DataError(fmt::format("{}/quantized_layers is missing", where));
    for (const auto& [name, layer] : layers->items()) {
      const std::string place = fmt::format("{}/quantized_layers/{}", where, name);
      const auto own = text_field(layer, "quant_algo", place);
      if (!own) throw DataError(fmt::format("{}/quant_algo is missing", place));
      read_algorithm(*own, place + "/quant_algo", format);
      if (format.nvfp4) require_value(layer, "group_size", 16, place);
    }
  } else {
    read_algorithm(*algorithm, where + "/quant_algo", format);
  }
  read_groups(config, where, format, modelopt_nvfp4);
  for (const char* key : {"exclude_modules", "ignore"})
    for (std::string& module : text_list(config, key, where)) format.ignored.push_back(std::move(module));
  return format;
}

QuantFormat native_fp8(const Json& config, const std::string& file, const std::string& where) {
  QuantFormat format;
  format.declared = fmt::format("{}: fp8", file);
  require_value(config, "fmt", "e4m3", where);
  const Json* block = find_field(config, "weight_block_size");
  if (block == nullptr || block->is_null()) {
    format.fp8 = plain_fp8;
  } else {
    require_value(config, "weight_block_size", Json::array({128, 128}), where);
    format.fp8 = inverse_named_fp8;
  }
  for (const char* key : {"modules_to_not_convert", "ignored_layers"})
    for (std::string& module : text_list(config, key, where)) format.ignored.push_back(std::move(module));
  return format;
}

}  // namespace

QuantFormat parse_quantization_config(const Json& config, const std::string& file) {
  const std::string where = file + ": /quantization_config";
  if (!config.is_object()) throw DataError(where + " is no object");
  const std::string method = text_field(config, "quant_method", where).value_or("");
  if (method == "compressed-tensors") return compressed_tensors(config, file, where);
  if (method == "modelopt" || method == "modelopt_fp4") return modelopt(config, file, where);
  if (method == "fp8") return native_fp8(config, file, where);
  throw DataError(
      fmt::format("{}/quant_method is \"{}\"; compressed-tensors, modelopt and fp8 are read", where, method));
}

QuantFormat parse_hf_quant_config(const Json& document, const std::string& file) {
  const Json* quantization = find_field(document, "quantization");
  if (quantization == nullptr || !quantization->is_object())
    throw DataError(file + ": /quantization is missing");
  return modelopt(*quantization, file, file + ": /quantization");
}

}  // namespace quadpair::cases
