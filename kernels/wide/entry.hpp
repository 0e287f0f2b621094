// Internal to the launch code: what the wide and the dense product share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/common/launch.hpp"
#include "kernels/wide/tm_gemm.hpp"

namespace quadpair::wide {

/// The entry "<operator>_<rows>x<columns>_s<slices>" or "..._wgmma" of a module, or null when there is none.
const KernelInfo* find_entry(const Module& module, const std::string& operator_name, const Tuning& tuning);

/// Rows in and out of a product, as in TmGemmArguments.
struct Activations {
  std::uint32_t m = 0, n = 0, k = 0;
  DevicePtr x = 0;
  std::uint32_t ldx = 0;
  DevicePtr y = 0;
  std::uint32_t ldy = 0;
};

/// Throws Refused, beginning with `who`.
void require_activations(const std::string& who, const Activations& activations);

/// The launch of an entry over [m, n], with so many bytes of shared memory, arguments left out.
Launch launch_over(const Module& module, const KernelInfo& kernel, const Tuning& tuning,
                   std::uint32_t shared_bytes, std::uint32_t m, std::uint32_t n);

}  // namespace quadpair::wide
