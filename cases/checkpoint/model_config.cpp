#include "cases/checkpoint/model_config.hpp"

#include <fmt/format.h>

#include <limits>

#include "cases/checkpoint/json_fields.hpp"
#include "cases/error.hpp"
#include "cases/json_text.hpp"
#include "cases/memory_map.hpp"

namespace quadpair::cases {

std::vector<std::string> ModelConfig::architectures() const {
  return text_list(json, "architectures", file + ": ");
}

const nlohmann::json* ModelConfig::find(std::string_view key) const {
  const nlohmann::json* text = find_field(json, "text_config");
  for (const nlohmann::json* part : {text, &json}) {
    if (part == nullptr) continue;
    const nlohmann::json* field = find_field(*part, key);
    if (field != nullptr && !field->is_null()) return field;
  }
  return nullptr;
}

std::optional<std::uint64_t> ModelConfig::number(std::string_view key) const {
  const nlohmann::json* field = find(key);
  if (field == nullptr) return std::nullopt;
  if (!field->is_number_unsigned() || field->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
    throw DataError(fmt::format("{}: {} is {}, no whole number below 2^32", file, key, value_text(*field)));
  return field->get<std::uint64_t>();
}

std::optional<bool> ModelConfig::flag(std::string_view key) const {
  const nlohmann::json* field = find(key);
  if (field == nullptr) return std::nullopt;
  if (!field->is_boolean())
    throw DataError(fmt::format("{}: {} is {}, neither true nor false", file, key, value_text(*field)));
  return field->get<bool>();
}

ModelConfig parse_model_config(std::string_view text, const std::string& file) {
  ModelConfig config{file, parse_json(text, file)};
  if (!config.json.is_object()) throw DataError(file + ": not a JSON object");
  return config;
}

std::string read_text_file(const std::filesystem::path& file) {
  const MemoryMap map(file);
  return {reinterpret_cast<const char*>(map.bytes().data()), map.bytes().size()};
}

}  // namespace quadpair::cases
