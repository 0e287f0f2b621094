// Matrices that no model holds: drawn from a name and a seed, and called made-up wherever they are reported.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cases/quantized_matrix.hpp"
#include "cases/random.hpp"

namespace quadpair::cases {

struct SliceShape {
  std::uint32_t n = 0, k = 0, halves = 1;
  std::uint32_t rank = 0, tp = 1;  ///< which of how many slices of a full tensor
  bool fp8 = false;                ///< FP8 weights, else NVFP4's
  friend bool operator==(const SliceShape&, const SliceShape&) = default;
};

/// The matrices of one family, by name.
struct MadeUpFamily {
  std::optional<SliceShape> (*shape)(std::string_view name);           ///< nothing for a name of others
  QuantizedMatrix (*make)(std::string_view name, std::uint64_t seed);  ///< of a name that has a shape
};

/// The projections of the production model, one rank of four: gdn_in, gdn_out, attn_qkv, attn_o, mlp_gate_up,
/// mlp_down.
extern const MadeUpFamily production_family;

/// The same projections cut from one full made-up model, "gdn_in@r0" to "mlp_down@r3": rank r of four holds
/// rows of each part (gdn_in, attn_qkv, mlp_gate_up) or columns (gdn_out, attn_o, mlp_down) of the full
/// tensor.
extern const MadeUpFamily sharded_family;

/// Rank `rank` of `tp` of a sharded projection, "gdn_in" and so on; the full tensor is rank 0 of 1. Throws
/// std::invalid_argument for another name, or where tp does not divide the parts.
QuantizedMatrix make_shard(std::string_view projection, std::uint32_t rank, std::uint32_t tp,
                           std::uint64_t seed);

/// Matrices at the edges of the formats, "edge.*".
extern const MadeUpFamily edge_family;

/// Matrices that preparation must refuse, "refused.*": each has one fault.
extern const MadeUpFamily refused_family;

/// FP8 matrices: "fp8.*", and "refused.fp8.*" with one fault each.
extern const MadeUpFamily fp8_family;

/// An empty matrix of that shape with room for codes and scales, its source "made-up, seed S".
QuantizedMatrix blank_matrix(std::string_view name, SliceShape shape, std::uint64_t seed);

/// Where a slice lies in a full tensor, whose numbers it draws.
struct Window {
  std::vector<std::uint32_t> rows;  ///< the full tensor's row of each row
  std::uint32_t groups = 0;         ///< groups of 16 k in a row of the full tensor
  std::uint32_t first_group = 0;
};

/// Fills codes and scales as trained and quantised matrices have them (measured on cases/real): the codes'
/// histogram, at least one code of magnitude 6 in each group, and scale bytes in 0x36..0x7E that spread
/// between rows, between groups, and now and then far. Uses all cores; the result does not depend on them.
void draw_like_trained(QuantizedMatrix& matrix, const RandomStream& stream);
void draw_like_trained(QuantizedMatrix& matrix, const RandomStream& stream, const Window& window);

/// A multiplier as checkpoints have them: the reciprocal of a divisor in the real slices' range, [512, 8704).
float draw_global(const RandomStream& stream, std::uint64_t part);

/// Fills codes uniformly over all 16 and scale bytes uniformly over [lowest, highest].
void draw_uniform(QuantizedMatrix& matrix, const RandomStream& stream, std::uint8_t lowest,
                  std::uint8_t highest);

}  // namespace quadpair::cases
