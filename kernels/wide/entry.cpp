#include "kernels/wide/entry.hpp"

#include "kernels/common/check.hpp"

namespace quadpair::wide {

const KernelInfo* find_entry(const Module& module, const std::string& operator_name, const Tuning& tuning) {
  const std::string name = operator_name + "_" + std::to_string(tuning.rows) + "x" +
                           std::to_string(tuning.columns) +
                           (tuning.wgmma ? "_wgmma" : "_s" + std::to_string(tuning.slices));
  for (const KernelInfo& kernel : module.kernels)
    if (kernel.entry == name) return &kernel;
  return nullptr;
}

void require_activations(const std::string& who, const Activations& a) {
  require(a.x != 0 && a.x % 16 == 0, who + "x is null or not 16-byte aligned");
  require(a.y != 0 && a.y % 2 == 0, who + "y is null or not 2-byte aligned");
  require(a.ldx >= a.k, who + "ldx=" + std::to_string(a.ldx) + " is less than K=" + std::to_string(a.k));
  require(a.ldx % 8 == 0,
          who + "ldx=" + std::to_string(a.ldx) + " is not a multiple of 8: rows must be 16-byte aligned");
  require(a.ldy >= a.n, who + "ldy=" + std::to_string(a.ldy) + " is less than the " + std::to_string(a.n) +
                            " columns of y");
}

Launch launch_over(const Module& module, const KernelInfo& kernel, const Tuning& tuning,
                   std::uint32_t shared_bytes, std::uint32_t m, std::uint32_t n) {
  Launch launch;
  launch.module = &module;
  launch.entry = kernel.entry;
  launch.grid = {(m - 1) / tuning.rows + 1, (n - 1) / tuning.columns + 1, 1};
  launch.block = {kernel.max_threads, 1, 1};
  launch.dynamic_shared = shared_bytes;
  return launch;
}

}  // namespace quadpair::wide
