// Which tensors form which projection, as data: one JSON file an architecture family.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/checkpoint/model_config.hpp"

namespace quadpair::cases {

/// A family file that cases/families/family.schema.json accepts.
struct Family {
  std::string file;
  nlohmann::json json;

  std::string name() const { return json["name"].get<std::string>(); }
};

/// The key of a config.json that holds a family of its own, as shards written by `slice` do.
inline constexpr std::string_view family_in_config = "quadpair_family";

/// Names of the built-in families.
std::vector<std::string> family_names();

/// A built-in family. Throws DataError for another name.
Family load_family(const std::string& name);

/// Throws DataError naming file and place.
Family parse_family(std::string_view text, const std::string& file);

/// The family that the config holds, else the built-in one of its architecture. Throws DataError that names
/// the architectures and, of `tensors`, the first few.
Family family_of(const ModelConfig& config, const std::vector<std::string>& tensors);

/// Rows of one stored tensor that belong to a projection: in each of `groups` groups of `group_rows` rows,
/// `length` rows from `offset` on.
struct Part {
  std::string tensor;  ///< without ".weight"
  std::uint32_t groups = 1, group_rows = 0, offset = 0, length = 0;
  std::uint32_t units = 1;  ///< pieces of the rows that stay whole when ranks share them
  bool replicate = false;   ///< with fewer units than ranks, several ranks hold the same one

  std::uint32_t rows() const { return groups * length; }
  std::uint32_t stored_rows() const { return groups * group_rows; }
  friend bool operator==(const Part&, const Part&) = default;
};

/// Parts that are stacked to one matrix [n, k].
struct Projection {
  std::string name;
  std::optional<std::uint32_t> layer;
  bool head = false;   ///< gives logits
  bool tied = false;   ///< a head that is the embedding
  bool by_k = false;   ///< ranks share k; else the rows of each part
  bool gated = false;  ///< two parts, gate and up
  std::uint32_t k = 0;
  std::uint32_t units = 1;  ///< of a split by k: pieces that stay whole
  std::vector<Part> parts;

  std::uint32_t rows() const;
};

/// Whether a tensor "X" + something is there, by the name X of its module.
using HasModule = std::function<bool(const std::string& module)>;

/// All projections in order, the head last. `has` chooses the prefix and the head's name; without it the
/// first ones are taken. Throws DataError naming config, projection and number for numbers that are missing
/// or do not fit.
std::vector<Projection> projections_of(const Family& family, const ModelConfig& config,
                                       const HasModule& has = nullptr);

}  // namespace quadpair::cases
