// tm_gemm: persistent scales, compact ones restored in registers, or restored to a temporary.
#include "kernels/wide/tm_gemm.hpp"

#include <fmt/format.h>

#include "harness/run/operators.hpp"
#include "harness/run/product.hpp"
#include "kernels/common/error.hpp"
#include "kernels/convert/turbomind.hpp"

namespace quadpair::run {
namespace {

wide::Tuning tuning_of(const cases::Case& c, const Problem& p) {
  if (c.tuning.empty()) return wide::tuned(p.m, p.padded_n, p.k, p.target);
  if (const auto tuning = wide::tuning_from_string(c.tuning)) return *tuning;
  throw cases::DataError(fmt::format("case {}: \"{}\" is no tile, as 64x128.s1", c.id, c.tuning));
}

}  // namespace

void make_tm_gemm(const cases::Case& c, Problem& p) {
  const wide::Tuning tuning = tuning_of(c, p);
  if (const auto why = wide::why_refused(p.n, p.k, tuning, p.target)) throw Refused(*why);
  set_product(c, p, wide::accumulation_plan(p.k, tuning, p.target), DecodeRule::turbomind);
  if (p.m > 0 && p.temporary) p.op.route.emplace_back("convert/turbomind:restore_tm_scales");
  if (p.m > 0) p.op.route.emplace_back("wide/tm_gemm");
  if (p.m > 0 && p.temporary) p.op.workspace_bytes = convert::turbomind_scale_bytes(p.padded_n, p.k);

  wide::TmGemmArguments shape;
  shape.m = p.m;
  shape.n = p.n;
  shape.k = p.k;
  shape.ldx = p.ldx;
  shape.ldy = p.ldy;
  p.op.launches = [=, target = p.target, padded_n = p.padded_n,
                   temporary = p.temporary && p.m > 0](const Operands& operands) {
    const Projection& weights = *operands.projection;
    std::vector<Launch> launches;
    wide::TmGemmArguments a = shape;
    a.codes = weights.address("turbomind_codes");
    a.globals = weights.parts();
    a.x = operands.x;
    a.y = operands.y;
    if (temporary) {
      convert::RestoreArguments restore;
      restore.padded_n = padded_n;
      restore.k = shape.k;
      restore.qpn2_scales = weights.address("qpn2_scales");
      restore.globals = weights.parts();
      restore.scales = a.scales = operands.workspace;
      launches = convert::restore_tm_scales(restore, target);
    } else if (weights.policy() == StoragePolicy::compact) {
      a.kind = wide::Scales::compact;
      a.scales = weights.address("qpn2_scales");
    } else {
      a.scales = weights.address("turbomind_scales");
    }
    for (Launch& launch : wide::tm_gemm(a, tuning, target)) launches.push_back(std::move(launch));
    return launches;
  };
}

}  // namespace quadpair::run
