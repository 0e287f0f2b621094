// Fields of JSON objects that may lack them or hold something else.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::cases {

/// The field, or null where `object` is no object or lacks it.
const nlohmann::json* find_field(const nlohmann::json& object, std::string_view key);

/// The value for a message: a list or an object only by its kind.
std::string value_text(const nlohmann::json& value);

/// A text, or nothing where it is missing or null. Throws DataError "WHERE/KEY is VALUE, no text".
std::optional<std::string> text_field(const nlohmann::json& object, std::string_view key,
                                      const std::string& where);

/// A list of texts; empty where it is missing or null. Throws DataError.
std::vector<std::string> text_list(const nlohmann::json& object, std::string_view key,
                                   const std::string& where);

}  // namespace quadpair::cases
