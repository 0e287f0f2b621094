// A family's projections with a config's numbers put in.
#include <fmt/format.h>

#include <limits>

#include "cases/checkpoint/expression.hpp"
#include "cases/checkpoint/family.hpp"
#include "cases/checkpoint/json_fields.hpp"
#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t most_layers = 4096, most_groups = 65536;

/// Sizes of one model.
class Numbers {
 public:
  Numbers(const Family& family, const ModelConfig& config) : family_(family), config_(config) {}

  std::uint32_t operator()(const Json& expression) const { return size(expression.get<std::string>(), 0); }

  std::uint32_t or_else(const Json& object, const char* key, std::uint32_t otherwise) const {
    const Json* field = find_field(object, key);
    return field == nullptr ? otherwise : (*this)(*field);
  }

  /// A number that may be missing, then 0.
  bool is_set(const Json& key) const { return config_.number(key.get<std::string>()).value_or(0) != 0; }

  std::string layer_type(std::uint32_t layer) const {
    if (const Json* types = config_.find("layer_types")) {
      if (!types->is_array() || layer >= types->size() || !(*types)[layer].is_string())
        throw DataError(fmt::format("{}: layer_types says nothing of layer {}", config_.file, layer));
      return (*types)[layer].get<std::string>();
    }
    const auto interval = config_.number("full_attention_interval");
    if (!interval || *interval == 0)
      throw DataError(
          fmt::format("{}: neither layer_types nor full_attention_interval is given", config_.file));
    return (layer + 1) % *interval == 0 ? "full_attention" : "linear_attention";
  }

  [[noreturn]] void fail(const std::string& projection, const std::string& why) const {
    throw DataError(fmt::format("{}: {} in {}: {}", config_.file, projection, family_.file, why));
  }

 private:
  std::uint32_t size(const std::string& expression, int depth) const {
    constexpr int deepest = 8;  // of defaults that refer to each other
    return evaluate(expression, family_.file, [&](std::string_view name) -> std::uint64_t {
      if (const auto value = config_.number(name)) return *value;
      const Json* defaults = find_field(family_.json, "defaults");
      const Json* otherwise = defaults == nullptr ? nullptr : find_field(*defaults, name);
      if (otherwise == nullptr || depth == deepest)
        throw DataError(fmt::format("{}: {} is missing, which {} needs", config_.file, name, family_.file));
      return size(otherwise->get<std::string>(), depth + 1);
    });
  }

  const Family& family_;
  const ModelConfig& config_;
};

Part part_of(const Json& json, const std::string& path, const Numbers& numbers,
             const std::string& projection) {
  Part part;
  part.tensor = path + json["tensor"].get<std::string>();
  const std::uint32_t rows = numbers(json["rows"]);
  if (const Json* fused = find_field(json, "fused")) {
    part.groups = numbers.or_else(*fused, "groups", 1);
    if (part.groups > most_groups)
      numbers.fail(projection, fmt::format("{} groups are too many", part.groups));
    const Json& segments = (*fused)["segments"];
    const auto wanted = (*fused)["segment"].get<std::size_t>();
    if (wanted >= segments.size()) numbers.fail(projection, fmt::format("there is no segment {}", wanted));
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (i == wanted) part.offset = static_cast<std::uint32_t>(total);
      total += numbers(segments[i]);
      if (total * part.groups > std::numeric_limits<std::uint32_t>::max())
        numbers.fail(projection, "its segments have 2^32 rows or more");
    }
    part.length = numbers(segments[wanted]);
    part.group_rows = static_cast<std::uint32_t>(total);
  } else {
    part.length = part.group_rows = rows;
  }
  if (part.rows() != rows || rows == 0)
    numbers.fail(projection,
                 fmt::format("'{}' has {} rows, and its segments {}", part.tensor, rows, part.rows()));
  part.units = numbers.or_else(json, "units", rows);
  if (part.units == 0 || rows % part.units != 0)
    numbers.fail(projection,
                 fmt::format("'{}' has {} rows, which {} units cannot share", part.tensor, rows, part.units));
  part.replicate = json.value("replicate", false);
  return part;
}

Projection projection_of(const Json& json, const std::string& path, const Numbers& numbers) {
  Projection projection;
  projection.name = path + json["name"].get<std::string>();
  projection.by_k = json["split"] == "k";
  projection.gated = json.value("gated", false);
  projection.k = numbers(json["k"]);
  projection.units = numbers.or_else(json, "units", projection.k);
  if (projection.k == 0 || projection.units == 0 || projection.k % projection.units != 0)
    numbers.fail(projection.name,
                 fmt::format("k = {}, which {} units cannot share", projection.k, projection.units));
  std::uint64_t rows = 0;
  for (const Json& part : json["parts"]) {
    projection.parts.push_back(part_of(part, path, numbers, projection.name));
    rows += projection.parts.back().rows();
  }
  if (rows > std::numeric_limits<std::uint32_t>::max()) numbers.fail(projection.name, "2^32 rows or more");
  if (projection.gated &&
      (projection.parts.size() != 2 || projection.parts[0].rows() != projection.parts[1].rows()))
    numbers.fail(projection.name, "gate and up must be two parts of one size");
  return projection;
}

void replace_layer(std::string& path, std::uint32_t layer) {
  constexpr std::string_view place = "{layer}";
  if (const std::size_t at = path.find(place); at != std::string::npos)
    path.replace(at, place.size(), std::to_string(layer));
}

void add_stack(const Json& stack, const std::string& prefix, const Numbers& numbers,
               std::vector<Projection>& projections) {
  const bool numbered = stack.contains("layers");
  const std::uint32_t layers = numbers.or_else(stack, "layers", 1);
  if (layers > most_layers) numbers.fail(stack["path"], fmt::format("{} layers are too many", layers));
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    std::string path = prefix + stack["path"].get<std::string>();
    replace_layer(path, layer);
    for (const Json& json : stack["projections"]) {
      if (json.contains("when") && !numbers.is_set(json["when"])) continue;
      if (json.contains("unless") && numbers.is_set(json["unless"])) continue;
      if (json.contains("layer_type") && json["layer_type"] != numbers.layer_type(layer)) continue;
      projections.push_back(projection_of(json, path, numbers));
      if (numbered) projections.back().layer = layer;
    }
  }
}

/// The head's tensor: one of its own, or the embedding.
std::string head_tensor(const Json& head, const std::string& prefix, const ModelConfig& config,
                        const HasModule& has) {
  const bool tied = head.contains("tied") &&
                    config.flag("tie_word_embeddings").value_or(head.value("tied_by_default", false));
  if (has != nullptr)
    for (const Json& name : head["tensors"])
      if (has(name.get<std::string>())) return name.get<std::string>();
  return tied ? prefix + head["tied"].get<std::string>() : head["tensors"][0].get<std::string>();
}

std::vector<Projection> under_prefix(const Family& family, const ModelConfig& config,
                                     const std::string& prefix, const HasModule& has) {
  const Numbers numbers(family, config);
  std::vector<Projection> projections;
  for (const Json& stack : family.json["stacks"]) add_stack(stack, prefix, numbers, projections);
  if (const Json* head = find_field(family.json, "head")) {
    const std::string tensor = head_tensor(*head, prefix, config, has);
    Projection projection =
        projection_of({{"name", "lm_head"},
                       {"k", (*head)["k"]},
                       {"split", "rows"},
                       {"parts", Json::array({{{"tensor", tensor}, {"rows", (*head)["rows"]}}})}},
                      "", numbers);
    projection.head = true;
    projection.tied = head->contains("tied") && tensor == prefix + (*head)["tied"].get<std::string>();
    projections.push_back(std::move(projection));
  }
  return projections;
}

}  // namespace

std::vector<Projection> projections_of(const Family& family, const ModelConfig& config,
                                       const HasModule& has) {
  const Json prefixes = family.json.value("prefixes", Json::array({""}));
  std::vector<Projection> first = under_prefix(family, config, prefixes[0].get<std::string>(), has);
  if (has == nullptr) return first;
  const auto present = [&](const std::vector<Projection>& projections) {
    for (const Projection& projection : projections)
      for (const Part& part : projection.parts)
        if (!projection.head && has(part.tensor)) return true;
    return false;
  };
  if (present(first)) return first;
  for (std::size_t i = 1; i < prefixes.size(); ++i) {
    auto projections = under_prefix(family, config, prefixes[i].get<std::string>(), has);
    if (present(projections)) return projections;
  }
  return first;
}

}  // namespace quadpair::cases
