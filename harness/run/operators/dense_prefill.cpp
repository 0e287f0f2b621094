// dense_prefill, with the target's own dense kernel or a library's.
#include "kernels/dense/dense_prefill.hpp"

#include "harness/run/operators.hpp"
#include "harness/run/product.hpp"

namespace quadpair::run {

void make_dense_prefill(const cases::Case& c, Problem& p) {
  const AccumulationPlan own = dense::accumulation_plan(p.k, p.target);
  p.library = c.library;
  set_product(c, p, p.library ? one_chain(p.k, own.mma) : own, DecodeRule::qpn2);
  if (p.m > 0) p.op.route.emplace_back("dense/decode");
  if (p.m > 0 && !p.library) p.op.route.emplace_back("dense/gemm");
  p.op.workspace_bytes = dense::workspace_bytes(p.padded_n, p.k, c.workspace_limit);

  dense::PrefillArguments shape;
  shape.gemm.m = p.m;
  shape.gemm.n = p.n;
  shape.gemm.k = p.k;
  shape.gemm.ldx = p.ldx;
  shape.gemm.ldy = p.ldy;
  shape.workspace_limit = c.workspace_limit;
  const auto arguments = [shape](const Operands& operands) {
    const bool dual = operands.projection->policy() == StoragePolicy::dual;
    dense::PrefillArguments a = shape;
    a.gemm.layout = dual ? qpn2::CodeLayout::qpn2 : qpn2::CodeLayout::turbomind;
    a.gemm.codes = operands.projection->address(dual ? "qpn2_codes" : "turbomind_codes");
    a.gemm.scales = operands.projection->address("qpn2_scales");
    a.gemm.global = operands.projection->global();
    a.gemm.x = operands.x;
    a.gemm.y = operands.y;
    a.workspace = operands.workspace;
    return a;
  };
  p.op.launches = [arguments, target = p.target](const Operands& operands) {
    return dense::dense_prefill(arguments(operands), target);
  };
  p.op.chunks = [arguments, target = p.target](const Operands& operands) {
    return dense::prefill_chunks(arguments(operands), target);
  };
}

}  // namespace quadpair::run
