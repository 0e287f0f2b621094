// A checkpoint: config, declaration of the format, and the tensors of all its files.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/checkpoint/model_config.hpp"
#include "cases/checkpoint/quant_format.hpp"
#include "cases/safetensors.hpp"

namespace quadpair::cases {

/// The key of a safetensors file's metadata that holds a config.json, so that one file is a checkpoint.
inline constexpr std::string_view config_in_metadata = "config.json";

/// Opened once: headers and configs are read and checked, tensors only mapped.
class Checkpoint {
 public:
  /// A folder with config.json (and hf_quant_config.json), model.safetensors.index.json and its shards, or
  /// model.safetensors, or a single *.safetensors; or one safetensors file, its config in the metadata or
  /// beside it. Files are named relative to the folder. Throws DataError naming the file for one that is
  /// missing or unsound, an index that names a shard that is absent, outside the folder or lacks the tensor,
  /// and declarations that contradict each other.
  explicit Checkpoint(const std::filesystem::path& path);

  const std::string& name() const { return name_; }  ///< its path, for messages
  const ModelConfig& config() const { return config_; }

  /// Nothing where no format is declared.
  const std::optional<QuantFormat>& format() const { return format_; }

  /// The tensor, or null.
  const Tensor* find(std::string_view tensor) const;

  /// The file that holds the tensor. Throws DataError naming the tensor.
  const Safetensors& file_of(const std::string& tensor) const;

  /// All names in order.
  std::vector<std::string> tensor_names() const;

 private:
  void open_folder(const std::filesystem::path& folder);
  void open_file(const std::filesystem::path& file);
  void open_shards(const std::filesystem::path& folder, const std::filesystem::path& index);
  const Safetensors& add(const std::filesystem::path& file);

  std::string name_;  ///< of the path, for messages about tensors that are nowhere
  ModelConfig config_;
  std::optional<QuantFormat> format_;
  std::vector<std::unique_ptr<Safetensors>> files_;
  std::map<std::string, const Safetensors*, std::less<>> file_of_tensor_;
};

/// The format that config and, where there is one, hf_quant_config.json declare; nothing where neither does.
/// Throws DataError when both do and mean different things.
std::optional<QuantFormat> declared_format(const ModelConfig& config,
                                           const std::optional<ModelConfig>& hf_quant_config);

/// The shard of each tensor that a model.safetensors.index.json names. Throws DataError naming the tensor for
/// a shard that is no plain file name.
std::map<std::string, std::string> parse_index(std::string_view text, const std::string& file);

}  // namespace quadpair::cases
