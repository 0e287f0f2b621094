#include "kernels/lm_head/rerank.hpp"

#include <bit>

#include "kernels/lm_head/check_rows.hpp"

namespace quadpair::lm_head {
namespace {

constexpr std::uint32_t most_chunks = 32;  ///< their keys fill 16 KiB of shared memory

Launch score(const RerankArguments& a, std::uint32_t count, Target target) {
  constexpr std::uint32_t warps = 2;
  Launch launch;
  launch.module = &find_module("lm_head/rerank", target);
  launch.entry = "lm_head_score";
  launch.grid = {count / warps, a.m, 1};
  launch.block = {warps * 32, 1, 1};
  launch.arguments.add(a.head).add(a.x).add(a.candidates).add(a.scores).add(count).add(a.k).add(a.ldx);
  return launch;
}

Launch choose(const RerankArguments& a, std::uint32_t count, Target target) {
  const std::uint32_t padded = std::bit_ceil(count);
  Launch launch;
  launch.module = &find_module("lm_head/rerank", target);
  launch.entry = "lm_head_top";
  launch.grid = {a.m, 1, 1};
  launch.block = {256, 1, 1};
  launch.dynamic_shared = padded * sizeof(std::uint64_t);
  launch.arguments.add(a.candidates)
      .add(a.scores)
      .add(a.values)
      .add(a.ids)
      .add(count)
      .add(padded)
      .add(a.top)
      .add(a.first_id);
  return launch;
}

}  // namespace

std::vector<Launch> rerank(const RerankArguments& a, Target target) {
  const std::string who = "lm_head_rerank: ";
  require_few_rows(who, a.m);
  require_shape(who, a.n, a.k);
  require(chunks(a.n) <= most_chunks, who + "N=" + std::to_string(a.n) + ": more than 32 chunks");
  require(a.top >= 1 && a.top <= candidates_of_chunk,
          who + "top=" + std::to_string(a.top) + ": not 1 to " + std::to_string(candidates_of_chunk));
  require(a.first_id <= no_candidate - a.n, who + "first_id=" + std::to_string(a.first_id) +
                                                " with N=" + std::to_string(a.n) + ": ids pass 32 bits");
  if (a.m == 0) return {};
  require_buffer(who, "head's weights", a.head, 16);
  require_rows(who, a.x, a.ldx, a.k);
  require_buffer(who, "candidates", a.candidates, 4);
  require_buffer(who, "scores", a.scores, 4);
  require_buffer(who, "values", a.values, 4);
  require_buffer(who, "ids", a.ids, 4);
  const std::uint32_t count = chunks(a.n) * candidates_of_chunk;
  return {score(a, count, target), choose(a, count, target)};
}

}  // namespace quadpair::lm_head
