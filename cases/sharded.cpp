// The production model's projections as slices of full tensors. A slice draws the numbers that its elements
// have in the full tensor, which never exists in memory.
#include <stdexcept>
#include <string>

#include "cases/made_up.hpp"

namespace quadpair::cases {
namespace {

/// Rows of a fused tensor that belong together.
struct Part {
  std::uint32_t rows = 0;   ///< of the full tensor
  std::uint32_t scale = 0;  ///< number of its global scale; parts of one scale follow each other
};

struct Full {
  std::string_view name;
  std::uint32_t k = 0, halves = 1;
  bool by_k = false;  ///< ranks split k; else the rows of each part
  std::vector<Part> parts;
};

/// q, k, v, z, b, a; q with its gate, k, v; gate, up. b and a share a tile, and so a scale.
const std::vector<Full>& tensors() {
  static const std::vector<Full> all = {
      {"gdn_in", 5120, 1, false, {{2048, 0}, {2048, 1}, {6144, 2}, {6144, 3}, {48, 4}, {48, 4}}},
      {"gdn_out", 6144, 1, true, {{5120, 0}}},
      {"attn_qkv", 5120, 1, false, {{12288, 0}, {1024, 0}, {1024, 0}}},
      {"attn_o", 6144, 1, true, {{5120, 0}}},
      {"mlp_gate_up", 5120, 2, false, {{17408, 0}, {17408, 1}}},
      {"mlp_down", 17408, 1, true, {{5120, 0}}},
  };
  return all;
}

constexpr std::uint32_t model_tp = 4;

const Full* find(std::string_view projection) {
  for (const Full& full : tensors())
    if (full.name == projection) return &full;
  return nullptr;
}

struct Shard {
  const Full* full = nullptr;
  std::uint32_t rank = 0;
};

/// "gdn_in@r2"
std::optional<Shard> parse(std::string_view name) {
  const std::size_t at = name.find("@r");
  if (at == std::string_view::npos || name.size() != at + 3) return std::nullopt;
  const Full* full = find(name.substr(0, at));
  const auto rank = static_cast<std::uint32_t>(name.back() - '0');
  if (full == nullptr || name.back() < '0' || rank >= model_tp) return std::nullopt;
  return Shard{full, rank};
}

SliceShape shape_of(const Full& full, std::uint32_t rank, std::uint32_t tp) {
  SliceShape shape{0, full.by_k ? full.k / tp : full.k, full.halves, rank, tp};
  for (const Part& part : full.parts) shape.n += full.by_k ? part.rows : part.rows / tp;
  return shape;
}

std::optional<SliceShape> shape(std::string_view name) {
  const auto shard = parse(name);
  return shard ? std::optional(shape_of(*shard->full, shard->rank, model_tp)) : std::nullopt;
}

Window window_of(const Full& full, std::uint32_t rank, std::uint32_t tp) {
  Window window{{}, full.k / 16, full.by_k ? full.k / tp / 16 * rank : 0};
  std::uint32_t first = 0;
  for (const Part& part : full.parts) {
    const std::uint32_t rows = full.by_k ? part.rows : part.rows / tp;
    for (std::uint32_t row = 0; row < rows; ++row)
      window.rows.push_back(first + (full.by_k ? row : rank * rows + row));
    first += part.rows;
  }
  return window;
}

/// One for all, or one for each 32-row tile.
std::vector<float> globals_of(const Full& full, std::uint32_t tp, const RandomStream& stream) {
  if (full.parts.back().scale == 0) return {draw_global(stream, 0)};
  std::vector<std::uint32_t> rows(full.parts.back().scale + 1);
  for (const Part& part : full.parts) rows[part.scale] += part.rows / tp;
  std::vector<float> globals;
  for (std::size_t scale = 0; scale < rows.size(); ++scale)
    globals.insert(globals.end(), (rows[scale] + 31) / 32, draw_global(stream, scale));
  return globals;
}

QuantizedMatrix make(std::string_view name, std::uint64_t seed) {
  const Shard shard = parse(name).value();
  return make_shard(shard.full->name, shard.rank, model_tp, seed);
}

}  // namespace

QuantizedMatrix make_shard(std::string_view projection, std::uint32_t rank, std::uint32_t tp,
                           std::uint64_t seed) {
  const Full* full = find(projection);
  if (full == nullptr || tp == 0 || model_tp % tp != 0 || rank >= tp)
    throw std::invalid_argument("no such slice of " + std::string(projection));
  std::string name(projection);
  name.append("@r").append(std::to_string(rank));
  QuantizedMatrix matrix = blank_matrix(name, shape_of(*full, rank, tp), seed);
  const RandomStream stream(seed, "full." + std::string(projection));
  draw_like_trained(matrix, stream.child(0), window_of(*full, rank, tp));
  matrix.globals = globals_of(*full, tp, stream.child(1));
  return matrix;
}

const MadeUpFamily sharded_family = {shape, make};

}  // namespace quadpair::cases
