// qpn8_gemm.
#include "kernels/qpn8/gemm.hpp"

#include "harness/run/operators.hpp"
#include "harness/run/product.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::run {

void make_qpn8_gemm(const cases::Case& c, Problem& p) {
  const qpn8::Tuning tuning = c.split_k != 0 ? qpn8::Tuning{c.split_k, c.chains} : qpn8::tuned(p.k, p.target);
  if (const auto why = qpn8::why_refused(p.n, p.k, p.fp8.value(), tuning, p.target)) throw Refused(*why);
  set_product(c, p, qpn8::accumulation_plan(p.k, tuning, p.target), DecodeRule::qpn8);
  p.op.split_k = tuning.split_k;
  p.op.chains = tuning.chains;
  if (p.m > 0) p.op.route = {"qpn8/gemm"};

  qpn8::GemmArguments shape;
  shape.m = p.m;
  shape.n = p.n;
  shape.k = p.k;
  shape.ldx = p.ldx;
  shape.ldy = p.ldy;
  p.op.launches = [=, target = p.target](const Operands& operands) {
    qpn8::GemmArguments a = shape;
    a.kind = operands.fp8->kind();
    a.codes = operands.fp8->codes();
    a.scales = operands.fp8->scales();
    a.x = operands.x;
    a.y = operands.y;
    return qpn8::gemm(a, tuning, target);
  };
}

}  // namespace quadpair::run
