// A rank's part of a dense LM head.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cases/checkpoint/checkpoint.hpp"
#include "cases/checkpoint/family.hpp"
#include "cases/heads.hpp"

namespace quadpair::cases {

/// Rows [first, first + n) of a head stored as [stored_rows, k].
struct HeadShard {
  std::string tensor;  ///< its module: the embedding's where the head is tied
  bool tied = false;
  std::uint32_t rank = 0;
  std::uint32_t first = 0, n = 0, k = 0;
  std::uint32_t stored_rows = 0;
  std::uint32_t vocabulary = 0;  ///< ids that the config names
};

/// Rows that each rank holds: a vocabulary is shared in equal parts, the last ranks' filled up with rows that
/// are no words where it leaves a rest.
constexpr std::uint32_t rows_of_head(std::uint32_t rows, std::uint32_t tp) {
  return (rows - 1) / tp + 1;
}

/// What rank `rank` of `tp` holds.
HeadShard head_shard(const Projection& head, std::uint32_t stored_rows, std::uint32_t rank, std::uint32_t tp);

/// Its rows as FP16: numbers of other formats rounded to the nearest, ties to even; zeros past the stored
/// rows. Throws DataError naming file, tensor, index and value for a number that is not finite or lies beyond
/// FP16.
std::shared_ptr<const HeadMatrix> read_head(const Checkpoint& checkpoint, const HeadShard& shard,
                                            const std::string& name);

}  // namespace quadpair::cases
