#include "kernels/lm_head/screen.hpp"

#include "kernels/lm_head/check_rows.hpp"

namespace quadpair::lm_head {

std::vector<Launch> screen(const ScreenArguments& arguments, Target target) {
  const std::string who = "lm_head_screen: ";
  const qpn8::GemmArguments& a = arguments.gemm;
  require_few_rows(who, a.m);
  require(a.kind == qpn8::ScaleKind::channel, who + "block scales: only channel scales are screened with");
  std::vector<Launch> launches = qpn8::gemm(a, screen_tuning, target);
  if (a.m == 0) return launches;
  require_logits(who, a.y, a.ldy, a.n);
  require_buffer(who, "candidates", arguments.candidates, 4);
  Launch select;
  select.module = &find_module("lm_head/screen", target);
  select.entry = "lm_head_select";
  select.grid = {chunks(a.n), a.m, 1};
  select.block = {1024, 1, 1};
  select.arguments.add(a.y).add(arguments.candidates).add(a.n).add(a.ldy);
  launches.push_back(std::move(select));
  return launches;
}

}  // namespace quadpair::lm_head
