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
  const std::uint32_t rows = 8 * entry.row_blocks;
  launch.entry = entry.name;
  launch.grid = {pad_to_tile(arguments.n) / tile_columns, (arguments.m + rows - 1) / rows, 1};
  launch.block = {tuning.split_k * 32, 1, 1};
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
