// Candidates of the LM head: what screening keeps, and the order in which candidates stand everywhere.
#pragma once

#include <cstdint>
#include <vector>

namespace quadpair::lm_head {

inline constexpr std::uint32_t max_rows = 8;        ///< of x in screening, rerank and top-1
inline constexpr std::uint32_t chunk_rows = 62080;  ///< vocabulary rows of one screening chunk, at most
inline constexpr std::uint32_t candidates_of_chunk = 64;
inline constexpr std::uint32_t no_candidate = 0xFFFFFFFF;  ///< fills a chunk of fewer than 64 rows

/// Chunk c covers vocabulary rows [c . 62080, min((c + 1) . 62080, n)).
constexpr std::uint32_t chunks(std::uint32_t n) {
  return (n + chunk_rows - 1) / chunk_rows;
}

/// A result of one row of x.
struct Candidate {
  float value = 0;
  std::uint32_t id = 0;  ///< of the vocabulary
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Whether a stands before b: NaN first, then value descending (-0 and +0 are equal), ties to the lowest id.
bool stands_before(const Candidate& a, const Candidate& b);

/// The `top` best of several shards' results; absent ones (no_candidate) are left out. Ids must be distinct.
std::vector<Candidate> merge(std::vector<Candidate> of_all_shards, std::uint32_t top);

}  // namespace quadpair::lm_head
