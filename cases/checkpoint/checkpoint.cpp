#include "cases/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cases/checkpoint/json_fields.hpp"
#include "cases/error.hpp"
#include "cases/json_text.hpp"

namespace quadpair::cases {
namespace {

namespace fs = std::filesystem;

constexpr const char *config_name = "config.json", *quant_config_name = "hf_quant_config.json",
                     *index_name = "model.safetensors.index.json", *single_name = "model.safetensors";

std::optional<ModelConfig> read_config(const fs::path& folder, const char* name) {
  if (!fs::exists(folder / name)) return std::nullopt;
  return parse_model_config(read_text_file(folder / name), name);
}

/// The one safetensors file of a folder that has no index.
fs::path single_file(const fs::path& folder) {
  if (fs::exists(folder / single_name)) return folder / single_name;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".safetensors") found.push_back(entry.path());
  if (found.size() == 1) return found.front();
  throw DataError(
      fmt::format("{}: {} safetensors files and no {}", folder.string(), found.size(), index_name));
}

bool same_meaning(const QuantFormat& a, const QuantFormat& b) {
  const auto nvfp4_differs = a.nvfp4 && b.nvfp4 && a.nvfp4->sense != b.nvfp4->sense;
  const auto fp8_differs = a.fp8 && b.fp8 && a.fp8->scales != b.fp8->scales;
  return a.nvfp4.has_value() == b.nvfp4.has_value() && a.fp8.has_value() == b.fp8.has_value() &&
         !nvfp4_differs && !fp8_differs;
}

}  // namespace

std::optional<QuantFormat> declared_format(const ModelConfig& config,
                                           const std::optional<ModelConfig>& hf_quant_config) {
  std::optional<QuantFormat> format;
  const nlohmann::json* own = config.find("quantization_config");
  if (own != nullptr) format = parse_quantization_config(*own, config.file);
  if (!hf_quant_config) return format;
  QuantFormat other = parse_hf_quant_config(hf_quant_config->json, hf_quant_config->file);
  if (format && !same_meaning(*format, other))
    throw DataError(fmt::format("{} and {} contradict each other", format->declared, other.declared));
  if (format) other.ignored.insert(other.ignored.end(), format->ignored.begin(), format->ignored.end());
  return other;
}

std::map<std::string, std::string> parse_index(std::string_view text, const std::string& file) {
  const nlohmann::json index = parse_json(text, file);
  const nlohmann::json* map = find_field(index, "weight_map");
  if (map == nullptr || !map->is_object()) throw DataError(file + ": /weight_map is missing");
  std::map<std::string, std::string> shards;
  for (const auto& [tensor, shard] : map->items()) {
    const std::string name = shard.is_string() ? shard.get<std::string>() : "";
    if (name.empty() || name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos || name == "..")
      throw DataError(fmt::format("{}: tensor '{}' is in {}, which is no file beside the index", file, tensor,
                                  value_text(shard)));
    shards.emplace(tensor, name);
  }
  return shards;
}

Checkpoint::Checkpoint(const fs::path& path)
    : name_(path.string()), config_{config_name, nlohmann::json::object()} {
  const fs::file_status status = fs::status(path);
  if (!fs::exists(status)) throw DataError(fmt::format("{}: no such file or folder", path.string()));
  if (fs::is_directory(status))
    open_folder(path);
  else
    open_file(path);
}

void Checkpoint::open_folder(const fs::path& folder) {
  if (auto config = read_config(folder, config_name)) config_ = std::move(*config);
  format_ = declared_format(config_, read_config(folder, quant_config_name));
  if (fs::exists(folder / index_name))
    open_shards(folder, folder / index_name);
  else
    open_file(single_file(folder));
}

void Checkpoint::open_file(const fs::path& file) {
  const Safetensors& opened = add(file);
  for (const auto& [tensor, _] : opened.tensors()) file_of_tensor_.emplace(tensor, &opened);
  if (!config_.json.empty()) return;
  const fs::path folder = file.parent_path();
  if (const auto text = opened.metadata().find(config_in_metadata); text != opened.metadata().end()) {
    config_ = parse_model_config(text->second, fmt::format("{}: {}", opened.name(), config_in_metadata));
    format_ = declared_format(config_, std::nullopt);
  } else if (auto config = read_config(folder, config_name)) {
    config_ = std::move(*config);
    format_ = declared_format(config_, read_config(folder, quant_config_name));
  }
}

void Checkpoint::open_shards(const fs::path& folder, const fs::path& index) {
  const auto shards = parse_index(read_text_file(index), index_name);
  std::map<std::string, const Safetensors*> opened;
  for (const auto& [tensor, shard] : shards) {
    auto found = opened.find(shard);
    if (found == opened.end()) {
      if (!fs::exists(folder / shard))
        throw DataError(fmt::format("{}: tensor '{}' is in {}, which is absent", index_name, tensor, shard));
      found = opened.emplace(shard, &add(folder / shard)).first;
    }
    if (!found->second->contains(tensor))
      throw DataError(fmt::format("{}: tensor '{}' is in {}, which lacks it", index_name, tensor, shard));
    file_of_tensor_.emplace(tensor, found->second);
  }
}

const Safetensors& Checkpoint::add(const fs::path& file) {
  return *files_.emplace_back(std::make_unique<Safetensors>(file, file.filename().string()));
}

const Tensor* Checkpoint::find(std::string_view tensor) const {
  const auto found = file_of_tensor_.find(tensor);
  return found == file_of_tensor_.end() ? nullptr : &found->second->require(tensor);
}

const Safetensors& Checkpoint::file_of(const std::string& tensor) const {
  const auto found = file_of_tensor_.find(tensor);
  if (found == file_of_tensor_.end())
    throw DataError(fmt::format("{}: tensor '{}' is missing", name_, tensor));
  return *found->second;
}

std::vector<std::string> Checkpoint::tensor_names() const {
  std::vector<std::string> names;
  for (const auto& [name, _] : file_of_tensor_) names.push_back(name);
  return names;
}

}  // namespace quadpair::cases
