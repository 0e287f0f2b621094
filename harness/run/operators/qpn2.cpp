// qpn2_gemm and qpn2_gated.
#include "harness/run/operators.hpp"
#include "harness/run/product.hpp"
#include "kernels/common/error.hpp"
#include "kernels/qpn2/gated.hpp"

namespace quadpair::run {
namespace {

qpn2::Tuning tuning_of(const cases::Case& c, const Problem& p) {
  qpn2::Tuning tuning{c.split_k, c.chains};
  if (c.split_k != 0 && c.chains != 0) return tuning;
  const qpn2::Tuning tuned = qpn2::tuned(p.k, p.padded_n, p.target, p.gated());
  if (c.split_k == 0) tuning.split_k = tuned.split_k;
  if (c.chains == 0) tuning.chains = tuned.chains;
  return tuning;
}

}  // namespace

void make_qpn2(const cases::Case& c, Problem& p) {
  const qpn2::Tuning tuning = tuning_of(c, p);
  if (const auto why = qpn2::why_refused(p.m, p.n, p.k, tuning, p.target, p.gated())) throw Refused(*why);
  set_product(c, p, qpn2::accumulation_plan(p.k, tuning, p.target), DecodeRule::qpn2);
  p.op.split_k = tuning.split_k;
  p.op.chains = tuning.chains;
  if (p.m > 0) p.op.route = {p.gated() ? "qpn2/gated" : "qpn2/gemm"};

  qpn2::GemmArguments shape;
  shape.m = p.m;
  shape.n = p.n;
  shape.k = p.k;
  shape.ldx = p.ldx;
  shape.ldy = p.ldy;
  p.op.launches = [=, target = p.target, gated = p.gated()](const Operands& operands) {
    const bool dual = operands.projection->policy() == StoragePolicy::dual;
    qpn2::GemmArguments a = shape;
    a.layout = dual ? qpn2::CodeLayout::qpn2 : qpn2::CodeLayout::turbomind;
    a.codes = operands.projection->address(dual ? "qpn2_codes" : "turbomind_codes");
    a.scales = operands.projection->address("qpn2_scales");
    a.global = operands.projection->global();
    a.x = operands.x;
    a.y = operands.y;
    a.early_start = operands.early_start;
    return gated ? qpn2::gated(a, tuning, target) : qpn2::gemm(a, tuning, target);
  };
}

}  // namespace quadpair::run
