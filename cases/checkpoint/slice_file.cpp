#include "cases/checkpoint/slice_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "cases/checkpoint/anonymise.hpp"
#include "cases/checkpoint/safetensors_writer.hpp"
#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

using Json = nlohmann::json;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

const char* algorithm_of(WeightFormat format) {
  switch (format) {
    case WeightFormat::nvfp4: return "W4A16_NVFP4";
    case WeightFormat::fp8_channel: return "FP8_PER_CHANNEL_PER_TOKEN";
    case WeightFormat::fp8_block: return "FP8_PB_WO";
  }
  throw DataError("a format that no file holds");
}

void add_part(const std::string& tensor, const QuantizedMatrix& part,
              std::map<std::string, NewTensor>& tensors) {
  const std::uint64_t n = part.n, k = part.k;
  if (part.format == WeightFormat::nvfp4) {
    tensors[tensor + ".weight"] = {"U8", {n, k / 2}, bytes_of(part.codes)};
    tensors[tensor + ".weight_scale"] = {"F8_E4M3", {n, k / 16}, bytes_of(part.scales)};
    tensors[tensor + ".weight_scale_2"] = {"F32", {}, bytes_of(part.globals)};
    return;
  }
  tensors[tensor + ".weight"] = {"F8_E4M3", {n, k}, bytes_of(part.codes)};
  constexpr std::uint64_t side = fp8_block_side;
  const std::uint64_t block_rows = (n + side - 1) / side, block_columns = (k + side - 1) / side;
  const bool blocks = part.format == WeightFormat::fp8_block;
  tensors[tensor + ".weight_scale"] = {
      "F32", blocks ? std::vector<std::uint64_t>{block_rows, 1, block_columns, 1} : std::vector{n},
      bytes_of(part.fp8_scales)};
}

/// A family of one projection, its numbers written out.
Json family_of_slice(const std::string& name, const Shard& shard, const std::vector<std::string>& tensors,
                     const std::vector<QuantizedMatrix>& parts) {
  Json projection = {{"name", name},
                     {"k", std::to_string(parts.front().k)},
                     {"split", shard.projection.by_k ? "k" : "rows"},
                     {"gated", shard.projection.gated},
                     {"parts", Json::array()}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    projection["parts"].push_back({{"tensor", tensors[i]}, {"rows", std::to_string(parts[i].n)}});
  return {{"schema", "quadpair.family/1"},
          {"name", "slice"},
          {"about", "One shard."},
          {"architectures", Json::array()},
          {"stacks", {{{"path", ""}, {"projections", {projection}}}}}};
}

/// A name for each part: the tensor's, numbered where parts share one that is fused on disk.
std::vector<std::string> part_names(const Projection& projection) {
  std::map<std::string, int> uses;
  for (const Part& part : projection.parts) ++uses[part.tensor];
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  for (const Part& part : projection.parts)
    names.push_back(uses[part.tensor] == 1 ? part.tensor
                                           : fmt::format("{}.part{}", part.tensor, seen[part.tensor]++));
  return names;
}

}  // namespace

std::string slice_file(const CheckpointSlices& slices, const std::string& name,
                       std::optional<std::uint64_t> anonymous) {
  const Shard& shard = slices.shard(name);
  const std::vector<std::string> names = part_names(shard.projection);
  std::vector<QuantizedMatrix> parts = slices.load_parts(name);
  std::map<std::string, NewTensor> tensors;
  Json layers = Json::object();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (anonymous) anonymise(parts[i], RandomStream(*anonymous, names[i]));
    add_part(names[i], parts[i], tensors);
    layers[names[i]] = {{"quant_algo", algorithm_of(parts[i].format)}, {"group_size", 16}};
  }
  const Json config = {
      {"quantization_config",
       {{"quant_method", "modelopt"}, {"quant_algo", "MIXED_PRECISION"}, {"quantized_layers", layers}}},
      {std::string(family_in_config), family_of_slice(name, shard, names, parts)}};
  return safetensors_bytes(tensors, {{std::string(config_in_metadata), config.dump()}});
}

}  // namespace quadpair::cases
