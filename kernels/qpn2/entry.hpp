// Internal to the launch code: which compiled variant of an operator serves a number of rows.
#pragma once

#include <algorithm>
#include <string>

#include "kernels/common/error.hpp"
#include "kernels/common/module.hpp"
#include "kernels/qpn2/tuning.hpp"

namespace quadpair::qpn2 {

struct Entry {
  std::string name;
  std::uint32_t row_blocks = 0;  ///< blocks of 8 rows that one thread block computes
};

/// The entry of `<operator>_s<S>_c<C>_r<R>` with the least R that covers m rows, else the greatest R there
/// is.
inline Entry entry_for(const Module& module, const std::string& operator_name, Tuning tuning,
                       std::uint32_t m) {
  const std::uint32_t wanted = (m + 7) / 8;
  const std::string stem =
      operator_name + "_s" + std::to_string(tuning.split_k) + "_c" + std::to_string(tuning.chains) + "_r";
  Entry best;
  for (std::uint32_t row_blocks : {1u, 2u, 4u}) {
    const std::string name = stem + std::to_string(row_blocks);
    const bool compiled = std::any_of(module.kernels.begin(), module.kernels.end(),
                                      [&](const KernelInfo& kernel) { return kernel.entry == name; });
    if (compiled && best.row_blocks < wanted) best = {name, row_blocks};
  }
  if (best.row_blocks == 0) throw Refused("no kernel " + stem + "* in " + std::string(module.name));
  return best;
}

}  // namespace quadpair::qpn2
