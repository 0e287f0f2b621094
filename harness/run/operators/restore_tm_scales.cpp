// restore_tm_scales: the whole buffer is the output, f16 [K/16][padded N].
#include <cstring>

#include "harness/run/operators.hpp"
#include "kernels/convert/turbomind.hpp"

namespace quadpair::run {

void make_restore_tm_scales(const cases::Case&, Problem& p) {
  p.rows = p.k / 16;
  p.columns = p.ldy = p.padded_n;
  p.op.route = {"convert/turbomind:restore_tm_scales"};
  p.op.launches = [k = p.k, padded_n = p.padded_n, target = p.target](const Operands& operands) {
    convert::RestoreArguments a;
    a.padded_n = padded_n;
    a.k = k;
    a.qpn2_scales = operands.projection->address("qpn2_scales");
    a.globals = operands.projection->parts();
    a.scales = operands.y;
    return convert::restore_tm_scales(a, target);
  };
  p.op.expect = [](const Matrix& matrix, const std::vector<inputs::Inputs>& rounds) {
    const std::span<const std::uint8_t> bytes = matrix.packed("turbomind_scales");
    const std::size_t scales = bytes.size() / sizeof(std::uint16_t);
    Expected expected;
    expected.y.resize(rounds.size() * scales);
    for (std::size_t round = 0; round < rounds.size(); ++round)
      std::memcpy(expected.y.data() + round * scales, bytes.data(), bytes.size());
    return expected;
  };
}

}  // namespace quadpair::run
