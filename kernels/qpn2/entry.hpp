// Internal to the launch code: which compiled variant of an operator serves a number of rows.
#pragma once

#include <string>

#include "kernels/common/error.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/module.hpp"
#include "kernels/qpn2/gemm.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/qpn2/tuning.hpp"

namespace quadpair::qpn2 {

struct Entry {
  std::string name;
  std::uint32_t row_blocks = 0;  ///< blocks of 8 rows that one thread block computes
  std::uint32_t quarters = 4;  ///< quarters of a 32-column tile that one thread block computes (of each half)
};

/// The entry of `<operator>[_shared]_s<S>_c<C>_r<R>[_q<Q>]` with the least R that covers m rows, else the
/// greatest R there is. Without _q a block computes a tile.
inline Entry entry_for(const Module& module, const std::string& operator_name, CodeLayout layout,
                       Tuning tuning, std::uint32_t m) {
  const std::uint32_t wanted = (m + 7) / 8;
  const std::string stem = operator_name + (layout == CodeLayout::turbomind ? "_shared_s" : "_s") +
                           std::to_string(tuning.split_k) + "_c" + std::to_string(tuning.chains) + "_r";
  Entry best;
  for (std::uint32_t row_blocks : {1u, 2u, 4u}) {
    if (best.row_blocks >= wanted) break;
    const std::string name = stem + std::to_string(row_blocks);
    for (const KernelInfo& kernel : module.kernels) {
      const std::string entry(kernel.entry);
      if (entry == name) best = {entry, row_blocks};
      if (entry.starts_with(name + "_q"))
        best = {entry, row_blocks, static_cast<std::uint32_t>(std::stoul(entry.substr(name.size() + 2)))};
    }
  }
  if (best.row_blocks == 0) throw Refused("no kernel " + stem + "* in " + std::string(module.name));
  return best;
}

/// Grid, block and shared memory for `tiles` tiles and m rows. On sm70 each of the `matrices` halves has
/// warps of its own and its sums lie in static shared memory; a native warp sums all of them, f32
/// [S][8 R][matrices 8 Q + 4] in dynamic shared memory.
inline void shape_launch(Launch& launch, const Entry& entry, Tuning tuning, std::uint32_t tiles,
                         std::uint32_t m, std::uint32_t matrices) {
  const bool native = launch.module->target != Target::sm70;
  const std::uint32_t rows = 8 * entry.row_blocks;
  launch.entry = entry.name;
  launch.grid = {(4 * tiles + entry.quarters - 1) / entry.quarters, (m + rows - 1) / rows, 1};
  launch.block = {(native ? 1 : matrices) * tuning.split_k * 32, 1, 1};
  if (native) launch.dynamic_shared = tuning.split_k * rows * (matrices * 8 * entry.quarters + 4) * 4;
}

/// The launch of qpn2_<name> over all columns, with the arguments that the entries of every operator begin
/// with (QPN2_PARAMETERS in tile.cuh).
inline Launch operator_launch(const std::string& name, const GemmArguments& a, Tuning tuning, Target target,
                              std::uint32_t matrices) {
  const std::uint32_t columns = a.n / matrices;
  Launch launch;
  launch.module = &find_module("qpn2/" + name, target);
  const Entry entry = entry_for(*launch.module, "qpn2_" + name, a.layout, tuning, a.m);
  shape_launch(launch, entry, tuning, pad_to_tile(columns) / tile_columns, a.m, matrices);
  launch.early_start = a.early_start && target == Target::sm90;
  launch.arguments.add(a.codes)
      .add(a.scales)
      .add(a.global.tiles)
      .add(a.x)
      .add(a.y)
      .add(a.m)
      .add(columns)
      .add(a.k)
      .add(a.ldx)
      .add(a.ldy);
  return launch;
}

}  // namespace quadpair::qpn2
