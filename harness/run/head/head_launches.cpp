#include "harness/run/head/head_launches.hpp"

#include "kernels/lm_head/dense.hpp"
#include "kernels/lm_head/rerank.hpp"
#include "kernels/lm_head/screen.hpp"
#include "kernels/lm_head/top1.hpp"

namespace quadpair::run {

std::uint32_t HeadProblem::candidates() const {
  return lm_head::chunks(n) * lm_head::candidates_of_chunk;
}

std::vector<Launch> screen_and_rerank(const HeadProblem& p, const lm_head::Head& head,
                                      const HeadPlaces& places) {
  lm_head::ScreenArguments screen;
  screen.gemm.m = p.m;
  screen.gemm.n = p.n;
  screen.gemm.k = p.k;
  screen.gemm.codes = head.address("qpn8_codes");
  screen.gemm.scales = head.address("qpn8_scales");
  screen.gemm.x = places.x;
  screen.gemm.ldx = p.ldx;
  screen.gemm.y = places.logits;
  screen.gemm.ldy = p.ld();
  screen.candidates = places.candidates;
  lm_head::RerankArguments rerank;
  rerank.m = p.m;
  rerank.n = p.n;
  rerank.k = p.k;
  rerank.top = p.top;
  rerank.head = head.address("lm_head_fp16");
  rerank.x = places.x;
  rerank.ldx = p.ldx;
  rerank.candidates = places.candidates;
  rerank.scores = places.scores;
  rerank.first_id = head.first_id();
  rerank.values = places.values;
  rerank.ids = places.ids;
  std::vector<Launch> launches = lm_head::screen(screen, p.target);
  for (Launch& launch : lm_head::rerank(rerank, p.target)) launches.push_back(std::move(launch));
  return launches;
}

std::vector<Launch> dense_head(const HeadProblem& p, const lm_head::Head& head, const HeadPlaces& places) {
  return lm_head::dense({p.m, p.n, p.k, head.address("lm_head_fp16"), places.x, p.ldx, places.dense},
                        p.target);
}

std::vector<Launch> first_maximum(const HeadProblem& p, const lm_head::Head& head, const HeadPlaces& places) {
  lm_head::Top1Arguments a;
  a.m = p.m;
  a.n = p.n;
  a.k = p.k;
  a.packed = head.address("lm_head_packed");
  a.x = places.x;
  a.ldx = p.ldx;
  a.logits = places.logits;
  a.ld = p.ld();
  a.first_id = head.first_id();
  a.values = places.values;
  a.ids = places.ids;
  return lm_head::top1(a, p.target);
}

}  // namespace quadpair::run
