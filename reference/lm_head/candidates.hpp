// The LM head's choices on the CPU: what screening keeps, the best of scores, shards merged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/formats/fp16.hpp"

namespace quadpair::reference {

/// A value and the vocabulary id that has it.
struct Scored {
  float value = 0;
  std::uint32_t id = 0;
  friend bool operator==(const Scored&, const Scored&) = default;
};

/// Sorts as every choice of the LM head does: NaN first, then value descending (-0 equals +0), ties to the
/// lowest id.
void sort_scored(std::vector<Scored>& scored);

/// Screening of FP16 logits [m, n] (leading dimension ld): for each row and each chunk of `chunk_rows`
/// vocabulary rows its `kept` best, best first; 0xFFFFFFFF where a chunk has fewer. [m][chunks][kept].
std::vector<std::uint32_t> screened(const Half* logits, std::uint32_t m, std::uint32_t n, std::uint32_t ld,
                                    std::uint32_t chunk_rows, std::uint32_t kept);

/// The `top` best of one row's scores; fewer where there are fewer.
std::vector<Scored> best(std::vector<Scored> scored, std::uint32_t top);

}  // namespace quadpair::reference
