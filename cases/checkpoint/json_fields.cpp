#include "cases/checkpoint/json_fields.hpp"

#include <fmt/format.h>

#include "cases/error.hpp"

namespace quadpair::cases {

const nlohmann::json* find_field(const nlohmann::json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string value_text(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  return value.dump();
}

std::optional<std::string> text_field(const nlohmann::json& object, std::string_view key,
                                      const std::string& where) {
  const nlohmann::json* field = find_field(object, key);
  if (field == nullptr || field->is_null()) return std::nullopt;
  if (!field->is_string())
    throw DataError(fmt::format("{}/{} is {}, no text", where, key, value_text(*field)));
  return field->get<std::string>();
}

std::vector<std::string> text_list(const nlohmann::json& object, std::string_view key,
                                   const std::string& where) {
  const nlohmann::json* field = find_field(object, key);
  if (field == nullptr || field->is_null()) return {};
  if (!field->is_array())
    throw DataError(fmt::format("{}/{} is {}, no list", where, key, value_text(*field)));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < field->size(); ++i) {
    const nlohmann::json& entry = (*field)[i];
    if (!entry.is_string())
      throw DataError(fmt::format("{}/{}/{} is {}, no text", where, key, i, value_text(entry)));
    texts.push_back(entry.get<std::string>());
  }
  return texts;
}

}  // namespace quadpair::cases
