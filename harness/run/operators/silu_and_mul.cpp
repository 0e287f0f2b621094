// silu_and_mul over the activations of a slice: gate is the first half of their columns, up the second.
#include "kernels/wide/silu_and_mul.hpp"

#include "harness/run/operators.hpp"
#include "reference/wide/silu_and_mul.hpp"

namespace quadpair::run {

void make_silu_and_mul(const cases::Case& c, Problem& p) {
  p.columns = p.k / 2;
  p.ldy = p.columns + c.ldy_extra;
  if (p.m > 0) p.op.route = {"wide/silu_and_mul"};
  const wide::SiluAndMulArguments shape{p.m, p.columns, p.columns, 0, p.ldx, 0, p.ldy};
  p.op.launches = [shape, target = p.target](const Operands& operands) {
    wide::SiluAndMulArguments a = shape;
    a.x = operands.x;
    a.y = operands.y;
    return wide::silu_and_mul(a, target);
  };
  p.op.expect = [shape](const Matrix&, const std::vector<inputs::Inputs>& rounds) {
    Expected expected;
    for (const inputs::Inputs& round : rounds) {
      const auto y = reference::silu_and_mul(round.x.data(), shape.m, shape.columns, shape.up, round.ldx);
      expected.y.insert(expected.y.end(), y.begin(), y.end());
    }
    return expected;
  };
}

}  // namespace quadpair::run
