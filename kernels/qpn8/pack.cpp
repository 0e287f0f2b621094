#include "kernels/qpn8/pack.hpp"

#include "kernels/common/check.hpp"

namespace quadpair::qpn8 {
namespace {

constexpr std::uint32_t threads = 256;

Launch codes_launch(const PackArguments& a, Target target) {
  constexpr std::uint32_t groups_of_block = 32;
  Launch launch;
  launch.module = &find_module("qpn8/pack", target);
  launch.entry = "qpn8_pack_codes";
  launch.grid = {qpn2::pad_to_tile(a.n) / qpn2::tile_columns,
                 (a.k / qpn2::group_k + groups_of_block - 1) / groups_of_block, 1};
  launch.block = {threads, 1, 1};
  launch.arguments.add(a.codes).add(a.packed_codes).add(a.n).add(a.k);
  return launch;
}

Launch scales_launch(const PackArguments& a, Target target) {
  const bool channel = a.kind == ScaleKind::channel;
  const std::uint32_t padded_n = qpn2::pad_to_tile(a.n), tiles = padded_n / qpn2::tile_columns;
  const std::uint32_t blocks = a.k / scale_block, scales = channel ? padded_n : tiles * blocks;
  Launch launch;
  launch.module = &find_module("qpn8/pack", target);
  launch.entry = channel ? "qpn8_pack_channel_scales" : "qpn8_pack_block_scales";
  launch.grid = {(scales + threads - 1) / threads, 1, 1};
  launch.block = {threads, 1, 1};
  launch.arguments.add(a.scales)
      .add(a.packed_scales)
      .add(channel ? a.n : tiles)
      .add(channel ? padded_n : blocks);
  return launch;
}

}  // namespace

std::vector<Launch> pack(const PackArguments& a, Target target) {
  const std::string who = "qpn8_pack: ";
  const std::string n = std::to_string(a.n), k = std::to_string(a.k);
  require(a.n != 0, who + "N=0: no rows");
  require(a.k != 0 && a.k % 64 == 0, who + "K=" + k + ": not a positive multiple of 64");
  require(a.kind == ScaleKind::channel || (a.n % scale_block == 0 && a.k % scale_block == 0),
          who + "N=" + n + ", K=" + k + ": block scales need multiples of 128");
  require(a.codes != 0 && a.codes % 16 == 0, who + "codes are null or not 16-byte aligned");
  require(a.scales != 0 && a.scales % 4 == 0, who + "scales are null or not 4-byte aligned");
  require(a.packed_codes != 0 && a.packed_codes % 16 == 0,
          who + "packed codes are null or not 16-byte aligned");
  require(a.packed_scales != 0 && a.packed_scales % 2 == 0,
          who + "packed scales are null or not 2-byte aligned");
  return {codes_launch(a, target), scales_launch(a, target)};
}

}  // namespace quadpair::qpn8
