#include "kernels/qpn2/gemm.hpp"

#include "kernels/qpn2/admission.hpp"
#include "kernels/qpn2/entry.hpp"

namespace quadpair::qpn2 {

std::vector<Launch> gemm(const GemmArguments& arguments, Tuning tuning, Target target) {
  require_admitted(arguments, tuning, target, false);
  if (arguments.m == 0) return {};

  Launch launch;
  launch.module = &find_module("qpn2/gemm", target);
  const Entry entry = entry_for(*launch.module, "qpn2_gemm", tuning, arguments.m);
  shape_launch(launch, entry, tuning, pad_to_tile(arguments.n) / tile_columns, arguments.m, 1);
  launch.early_start = arguments.early_start && target == Target::sm90;
  launch.arguments.add(arguments.codes)
      .add(arguments.scales)
      .add(arguments.global.tiles)
      .add(arguments.x)
      .add(arguments.y)
      .add(arguments.m)
      .add(arguments.n)
      .add(arguments.k)
      .add(arguments.ldx)
      .add(arguments.ldy)
      .add(arguments.global.value);
  return {launch};
}

}  // namespace quadpair::qpn2
