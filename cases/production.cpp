// The production model's projections at full size, one rank of four.
#include <array>
#include <span>

#include "cases/made_up.hpp"

namespace quadpair::cases {
namespace {

struct Projection {
  std::string_view name;
  SliceShape shape;
  /// Rows of the parts that have a global scale of their own; each begins on a 32-row tile. Empty: one for
  /// all.
  std::array<std::uint32_t, 5> parts;
};

constexpr Projection projections[] = {
    {"gdn_in", {4120, 5120, 1}, {512, 512, 1536, 1536, 24}},  // q, k, v, z; b and a share a tile
    {"gdn_out", {5120, 1536, 1}, {}},
    {"attn_qkv", {3584, 5120, 1}, {}},
    {"attn_o", {5120, 1536, 1}, {}},
    {"mlp_gate_up", {8704, 5120, 2}, {4352, 4352}},
    {"mlp_down", {5120, 4352, 1}, {}},
};

const Projection* find(std::string_view name) {
  for (const Projection& projection : projections)
    if (projection.name == name) return &projection;
  return nullptr;
}

std::optional<SliceShape> shape(std::string_view name) {
  const Projection* projection = find(name);
  return projection == nullptr ? std::nullopt : std::optional(projection->shape);
}

QuantizedMatrix make(std::string_view name, std::uint64_t seed) {
  const Projection& projection = *find(name);
  QuantizedMatrix matrix = blank_matrix(name, projection.shape, seed);
  const RandomStream stream(seed, name);
  draw_like_trained(matrix, stream.child(0));
  const RandomStream globals = stream.child(1);
  for (std::size_t part = 0; part < projection.parts.size(); ++part) {
    const std::size_t tiles = (projection.parts[part] + 31) / 32;
    matrix.globals.insert(matrix.globals.end(), tiles, draw_global(globals, part));
  }
  if (matrix.globals.empty()) matrix.globals = {draw_global(globals, 0)};
  return matrix;
}

}  // namespace

const MadeUpFamily production_family = {shape, make};

}  // namespace quadpair::cases
