#include "kernels/lm_head/dense.hpp"

#include "kernels/lm_head/check_rows.hpp"

namespace quadpair::lm_head {

std::vector<Launch> dense(const DenseArguments& a, Target target) {
  const std::string who = "lm_head_dense: ";
  require_shape(who, a.n, a.k);
  if (a.m == 0) return {};
  require_buffer(who, "head's weights", a.head, 16);
  require_rows(who, a.x, a.ldx, a.k);
  require_buffer(who, "logits", a.logits, 4);
  constexpr std::uint32_t warps = 8, words_of_warp = 4, words = warps * words_of_warp;
  const std::uint32_t rows = a.m > 4 ? 8 : a.m > 2 ? 4 : a.m;
  Launch launch;
  launch.module = &find_module("lm_head/dense", target);
  launch.entry = "lm_head_dense_r";
  launch.entry += std::to_string(rows);
  launch.grid = {(a.n + words - 1) / words, (a.m + rows - 1) / rows, 1};
  launch.block = {warps * 32, 1, 1};
  launch.arguments.add(a.head).add(a.x).add(a.logits).add(a.m).add(a.n).add(a.k).add(a.ldx);
  return {launch};
}

}  // namespace quadpair::lm_head
