// LM heads: FP16 matrices of vocabulary rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/made_up.hpp"

namespace quadpair::cases {

/// Rows [first_id, first_id + n) of a vocabulary.
struct HeadMatrix {
  std::string name, source;
  std::uint32_t n = 0, k = 0;
  std::uint32_t first_id = 0;
  std::uint32_t vocabulary = 0;        ///< ids that the model has
  std::vector<std::uint16_t> weights;  ///< FP16 [n, k]
};

/// Shape of a head that load_head() knows, or nothing. "whisper.head": 2,816 rows of Whisper small's tied
/// head,
/// "@r0" to "@r3" a quarter of them each; "lm_head": the production model's shard, made up; "edge.head.*",
/// "refused.head.*".
std::optional<SliceShape> head_shape(std::string_view name);

/// Throws DataError for an unknown name. Large made-up heads are drawn by several threads, the same for any
/// number of them.
std::shared_ptr<const HeadMatrix> load_head(const std::string& name, std::uint64_t seed);

/// Fills a head as Whisper's is (measured on cases/real): rows share a common part of rms 0.0149 whose
/// numbers reach several times that, and differ by normal numbers of rms 0.0098 on average, from row to row
/// by up to a quarter.
void draw_head(HeadMatrix& head, const RandomStream& stream);

}  // namespace quadpair::cases
