#include "cases/checkpoint/shard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

/// The stored rows of a part's rows [first, first + count).
std::vector<RowRun> stored_rows(const Part& part, std::uint64_t first, std::uint64_t count) {
  std::vector<RowRun> runs;
  while (count > 0) {
    const std::uint64_t within = first % part.length;
    const std::uint64_t length = std::min(count, part.length - within);
    const std::uint64_t stored = first / part.length * part.group_rows + part.offset + within;
    if (!runs.empty() && runs.back().first + runs.back().count == stored)
      runs.back().count += length;
    else
      runs.push_back({stored, length});
    first += length;
    count -= length;
  }
  return runs;
}

std::vector<RowRun> rows_of_rank(const Projection& projection, const Part& part, std::uint32_t rank,
                                 std::uint32_t tp) {
  const std::uint64_t unit = part.rows() / part.units;
  if (part.units % tp == 0) {
    const std::uint64_t rows = part.units / tp * unit;
    return stored_rows(part, rank * rows, rows);
  }
  if (part.replicate && tp % part.units == 0) return stored_rows(part, rank / (tp / part.units) * unit, unit);
  throw DataError(fmt::format("{}: '{}' has {} units of {} rows, which {} ranks cannot share",
                              projection.name, part.tensor, part.units, unit, tp));
}

}  // namespace

std::vector<Cut> cuts_of(const Projection& projection, std::uint32_t rank, std::uint32_t tp) {
  constexpr std::uint32_t group = 16;
  std::vector<Cut> cuts;
  if (projection.by_k && (projection.units % tp != 0 || projection.k / tp % group != 0))
    throw DataError(fmt::format("{}: k = {} in {} units, which {} ranks cannot share on groups of 16",
                                projection.name, projection.k, projection.units, tp));
  for (const Part& part : projection.parts) {
    if (projection.by_k) {
      const std::uint64_t k = projection.k / tp;
      cuts.push_back({stored_rows(part, 0, part.rows()), rank * k, k});
    } else {
      cuts.push_back({rows_of_rank(projection, part, rank, tp), 0, projection.k});
    }
  }
  return cuts;
}

}  // namespace quadpair::cases
