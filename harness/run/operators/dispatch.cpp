// qpn2_dispatch and qpn2_dispatch_gated. The route that a case intends stands here, apart from the dispatch's
// own code, so that rows served by another family fail.
#include "kernels/projection/dispatch.hpp"

#include "harness/run/operators.hpp"
#include "harness/run/product.hpp"
#include "kernels/convert/turbomind.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/qpn2/gated.hpp"
#include "kernels/wide/tm_gemm.hpp"

namespace quadpair::run {
namespace {

enum class Family { qpn2, wide, dense };

Family intended(const cases::Case& c) {
  if (c.m <= c.qpn2_rows) return Family::qpn2;
  return c.dense_rows == 0 || c.m < c.dense_rows ? Family::wide : Family::dense;
}

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

/// FP16 scales or weights that the route holds for a while.
std::size_t temporary_bytes(const cases::Case& c, const Problem& p, Family family) {
  if (family == Family::dense) return dense::workspace_bytes(p.padded_n, p.k, c.workspace_limit);
  if (family == Family::wide && p.temporary) return convert::turbomind_scale_bytes(p.padded_n, p.k);
  return 0;
}

void intend_qpn2(const cases::Case& c, Problem& p) {
  const qpn2::Tuning tuning = qpn2::tuned(p.k, p.padded_n, p.target, p.gated());
  set_product(c, p, qpn2::accumulation_plan(p.k, tuning, p.target), DecodeRule::qpn2);
  p.op.split_k = tuning.split_k;
  p.op.chains = tuning.chains;
  if (p.m > 0) p.op.route = {p.gated() ? "qpn2/gated" : "qpn2/gemm"};
}

void intend_wide_or_dense(const cases::Case& c, Problem& p, Family family) {
  if (family == Family::wide) {
    const wide::Tuning tuning = wide::tuned(p.m, p.padded_n, p.k, p.target);
    set_product(c, p, wide::accumulation_plan(p.k, tuning, p.target), DecodeRule::turbomind);
    if (p.temporary) p.op.route.emplace_back("convert/turbomind:restore_tm_scales");
    p.op.route.emplace_back("wide/tm_gemm");
  } else {
    set_product(c, p, dense::accumulation_plan(p.k, p.target), DecodeRule::qpn2);
    p.op.route = {"dense/decode", "dense/gemm"};
  }
  const std::size_t product = p.gated() ? std::size_t{p.m} * p.padded_n * sizeof(std::uint16_t) : 0;
  const std::size_t temporary = temporary_bytes(c, p, family);
  p.op.workspace_bytes = temporary == 0 ? product : aligned(product) + temporary;
  if (p.gated()) p.op.route.emplace_back("wide/silu_and_mul");
}

}  // namespace

void make_dispatch(const cases::Case& c, Problem& p) {
  if (intended(c) == Family::qpn2)
    intend_qpn2(c, p);
  else
    intend_wide_or_dense(c, p, intended(c));

  DispatchRequest request;
  request.m = p.m;
  request.gated = p.gated();
  request.thresholds = {c.qpn2_rows, c.dense_rows};
  request.restore_to_temporary = p.temporary;
  request.in_graph = true;  // every case is captured
  request.dense_workspace_limit = c.workspace_limit;
  p.op.launches = [request, ldx = p.ldx, ldy = p.ldy](const Operands& operands) {
    return qpn2_dispatch(*operands.projection, request,
                         {operands.x, ldx, operands.y, ldy, operands.workspace})
        .launches;
  };
}

}  // namespace quadpair::run
