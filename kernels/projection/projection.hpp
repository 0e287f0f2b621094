// A projection's weights on the device under a storage policy.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/global_parts.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/memory.hpp"
#include "kernels/projection/policy.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair {

/// Runs launches in order; what they read may be freed once it has returned.
using Execute = std::function<void(std::span<const Launch> launches)>;

/// A checkpoint's NVFP4 matrix on the device, its globals on the host.
struct CheckpointMatrix {
  std::string name;
  std::uint32_t n = 0, k = 0, halves = 1;
  DevicePtr codes = 0;             ///< u8 [n, k/2]
  DevicePtr scales = 0;            ///< u8 [n, k/16]
  std::span<const float> globals;  ///< multipliers: one, or one per 32-row tile of the padded matrix
};

/// Owns exactly the buffers that its policy needs.
class Projection {
 public:
  /// Packs the matrix, which prepare_qpn2() has admitted. Throws Refused, and what `execute` throws.
  Projection(const CheckpointMatrix& matrix, StoragePolicy policy, Target target, const Allocate& allocate,
             const Execute& execute);

  std::uint32_t n() const { return n_; }
  std::uint32_t k() const { return k_; }
  std::uint32_t padded_n() const { return padded_n_; }
  bool fused() const { return halves_ == 2; }
  StoragePolicy policy() const { return policy_; }
  Target target() const { return target_; }

  struct Item {
    StorageItem storage;
    std::unique_ptr<DeviceMemory> memory;
  };
  const std::vector<Item>& items() const { return items_; }
  std::size_t bytes() const;

  /// The address of an item, or 0 where the policy has none of that name.
  DevicePtr address(std::string_view item) const;

  const qpn2::GlobalScale& global() const { return global_; }
  const GlobalParts& parts() const { return parts_; }

 private:
  std::uint32_t n_, k_, halves_, padded_n_;
  StoragePolicy policy_;
  Target target_;
  GlobalParts parts_;
  qpn2::GlobalScale global_;
  std::vector<Item> items_;
};

}  // namespace quadpair
