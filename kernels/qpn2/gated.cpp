#include "kernels/qpn2/gated.hpp"

#include "kernels/qpn2/admission.hpp"
#include "kernels/qpn2/entry.hpp"

namespace quadpair::qpn2 {

std::vector<Launch> gated(const GemmArguments& arguments, Tuning tuning, Target target) {
  require_admitted(arguments, tuning, target, true);
  if (arguments.m == 0) return {};

  Launch launch;
  launch.module = &find_module("qpn2/gated", target);
  const Entry entry = entry_for(*launch.module, "qpn2_gated", tuning, arguments.m);
  const std::uint32_t half_tiles = pad_gated(arguments.n) / 2 / tile_columns;
  shape_launch(launch, entry, tuning, half_tiles, arguments.m, 2);
  launch.early_start = arguments.early_start && target == Target::sm90;
  launch.arguments.add(arguments.codes)
      .add(arguments.scales)
      .add(arguments.global.tiles)
      .add(arguments.x)
      .add(arguments.y)
      .add(arguments.m)
      .add(arguments.n / 2)
      .add(arguments.k)
      .add(arguments.ldx)
      .add(arguments.ldy)
      .add(half_tiles)
      .add(arguments.global.value);
  return {launch};
}

}  // namespace quadpair::qpn2
