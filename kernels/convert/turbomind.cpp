#include "kernels/convert/turbomind.hpp"

#include "kernels/common/check.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair::convert {
namespace {

/// Both kernels: a warp takes four groups of one tile.
Launch launch_over(std::uint32_t tiles, std::uint32_t k, Target target, const char* entry) {
  constexpr std::uint32_t warps = 8, groups_of_block = warps * 4;
  Launch launch;
  launch.module = &find_module("convert/turbomind", target);
  launch.entry = entry;
  launch.grid = {tiles, (k / qpn2::group_k + groups_of_block - 1) / groups_of_block, 1};
  launch.block = {warps * 32, 1, 1};
  return launch;
}

void require_parts(const std::string& who, const GlobalParts& globals, std::uint32_t tiles) {
  if (const auto reason = why_refused(globals, tiles)) throw Refused(who + *reason);
}

}  // namespace

std::vector<Launch> pack_turbomind(const PackTurbomindArguments& arguments, Target target) {
  const PackTurbomindArguments& a = arguments;
  const std::string who = "pack_turbomind: ";
  require(a.halves == 1 || a.halves == 2, who + "halves=" + std::to_string(a.halves) + ": not 1 or 2");
  require(a.n != 0 && a.n % a.halves == 0,
          who + "N=" + std::to_string(a.n) + ": not a positive multiple of " + std::to_string(a.halves));
  require(a.k != 0 && a.k % 64 == 0, who + "K=" + std::to_string(a.k) + ": not a positive multiple of 64");
  require(a.packed_codes != 0 || a.packed_scales != 0, who + "no output is wanted");
  const std::uint32_t rows = a.n / a.halves;
  const std::uint32_t tiles = qpn2::pad_to_tile(rows) / qpn2::tile_columns;
  if (a.packed_codes != 0) {
    require(a.codes != 0 && a.codes % 16 == 0, who + "codes are null or not 16-byte aligned");
    require(a.packed_codes % 4 == 0, who + "packed codes are not 4-byte aligned");
  }
  if (a.packed_scales != 0) {
    require(a.scales != 0 && a.scales % 4 == 0, who + "scales are null or not 4-byte aligned");
    require(a.packed_scales % 2 == 0, who + "packed scales are not 2-byte aligned");
    require_parts(who, a.globals, tiles * a.halves);
  }
  Launch launch = launch_over(tiles * a.halves, a.k, target, "pack_turbomind");
  launch.arguments.add(a.codes)
      .add(a.scales)
      .add(a.globals)
      .add(a.packed_codes)
      .add(a.packed_scales)
      .add(rows)
      .add(tiles)
      .add(a.k);
  return {launch};
}

std::vector<Launch> restore_tm_scales(const RestoreArguments& arguments, Target target) {
  const RestoreArguments& a = arguments;
  const std::string who = "restore_tm_scales: ";
  require(a.padded_n != 0 && a.padded_n % qpn2::tile_columns == 0,
          who + "N=" + std::to_string(a.padded_n) + ": not a positive multiple of 32");
  require(a.k != 0 && a.k % 64 == 0, who + "K=" + std::to_string(a.k) + ": not a positive multiple of 64");
  require(a.qpn2_scales != 0, who + "QPN2 scales are null");
  require(a.scales != 0 && a.scales % 2 == 0, who + "scales are null or not 2-byte aligned");
  const std::uint32_t tiles = a.padded_n / qpn2::tile_columns;
  require_parts(who, a.globals, tiles);
  Launch launch = launch_over(tiles, a.k, target, "restore_tm_scales");
  launch.arguments.add(a.qpn2_scales).add(a.globals).add(a.scales).add(a.k);
  return {launch};
}

}  // namespace quadpair::convert
