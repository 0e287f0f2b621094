// What a model says of itself: config.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadpair::cases {

/// A config, and its name in messages. Numbers of a model with several parts (vision and text) stand in
/// `text_config`, which is looked at first.
struct ModelConfig {
  std::string file;
  nlohmann::json json;

  /// `architectures`; empty where there are none. Throws DataError when they are no list of texts.
  std::vector<std::string> architectures() const;

  /// The field of the text model, else of the whole; null where neither has it or it is null.
  const nlohmann::json* find(std::string_view key) const;

  /// A whole number from 0 to 2^32 - 1; nothing where it is missing. Throws DataError for another value.
  std::optional<std::uint64_t> number(std::string_view key) const;

  /// Nothing where it is missing. Throws DataError for a value that is neither true nor false.
  std::optional<bool> flag(std::string_view key) const;
};

/// Throws DataError when the text is not a JSON object.
ModelConfig parse_model_config(std::string_view text, const std::string& file);

/// A whole file's text. Throws DataError.
std::string read_text_file(const std::filesystem::path& file);

}  // namespace quadpair::cases
