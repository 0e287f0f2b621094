#include "kernels/lm_head/top1.hpp"

#include "kernels/lm_head/check_rows.hpp"

namespace quadpair::lm_head {

std::vector<Launch> top1(const Top1Arguments& a, Target target) {
  const std::string who = "lm_head_top1: ";
  require_few_rows(who, a.m);
  if (const auto reason = qpn8::why_refused(a.n, a.k, qpn8::ScaleKind::channel, top1_tuning, target))
    throw Refused(who + *reason);
  require(a.first_id <= no_candidate - a.n, who + "first_id=" + std::to_string(a.first_id) +
                                                " with N=" + std::to_string(a.n) + ": ids pass 32 bits");
  if (a.m == 0) return {};
  require_buffer(who, "packed weights", a.packed, 16);
  require_rows(who, a.x, a.ldx, a.k);
  require_logits(who, a.logits, a.ld, a.n);
  require_buffer(who, "values", a.values, 2);
  require_buffer(who, "ids", a.ids, 4);

  Launch logits;
  logits.module = &find_module("lm_head/top1", target);
  logits.entry = "lm_head_top1_logits";
  logits.grid = {qpn2::pad_to_tile(a.n) / qpn2::tile_columns, 1, 1};
  logits.block = {top1_tuning.split_k * 32, 1, 1};
  logits.arguments.add(a.packed).add(a.x).add(a.logits).add(a.m).add(a.n).add(a.k).add(a.ldx).add(a.ld);
  Launch first_maximum;
  first_maximum.module = logits.module;
  first_maximum.entry = "lm_head_first_maximum";
  first_maximum.grid = {a.m, 1, 1};
  first_maximum.block = {1024, 1, 1};
  first_maximum.arguments.add(a.logits).add(a.values).add(a.ids).add(a.n).add(a.ld).add(a.first_id);
  return {logits, first_maximum};
}

}  // namespace quadpair::lm_head
