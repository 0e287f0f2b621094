#include "kernels/convert/pack_qpn2.hpp"

#include "kernels/common/check.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::convert {

std::vector<Launch> pack_qpn2(const PackArguments& arguments, Target target) {
  const PackArguments& a = arguments;
  require(a.halves == 1 || a.halves == 2, "pack_qpn2: halves=" + std::to_string(a.halves) + ": not 1 or 2");
  require(a.n != 0 && a.n % a.halves == 0,
          "pack_qpn2: N=" + std::to_string(a.n) + ": not a positive multiple of " + std::to_string(a.halves));
  require(a.k != 0 && a.k % 64 == 0,
          "pack_qpn2: K=" + std::to_string(a.k) + ": not a positive multiple of 64");
  require(a.codes != 0 && a.codes % 16 == 0, "pack_qpn2: codes are null or not 16-byte aligned");
  require(a.scales != 0 && a.scales % 4 == 0, "pack_qpn2: scales are null or not 4-byte aligned");
  require(a.packed_codes % 8 == 0, "pack_qpn2: packed codes are not 8-byte aligned");
  require(a.packed_scales != 0, "pack_qpn2: packed scales are null");

  const std::uint32_t rows = a.n / a.halves;
  const std::uint32_t tiles = qpn2::pad_to_tile(rows) / qpn2::tile_columns;
  constexpr std::uint32_t warps = 8, groups_of_warp = 4;
  const std::uint32_t groups_of_block = warps * groups_of_warp;
  Launch launch;
  launch.module = &find_module("convert/pack_qpn2", target);
  launch.entry = "pack_qpn2";
  launch.grid = {tiles * a.halves, (a.k / qpn2::group_k + groups_of_block - 1) / groups_of_block, 1};
  launch.block = {warps * 32, 1, 1};
  launch.arguments.add(a.codes)
      .add(a.scales)
      .add(a.packed_codes)
      .add(a.packed_scales)
      .add(rows)
      .add(tiles)
      .add(a.k);
  return {launch};
}

}  // namespace quadpair::convert
