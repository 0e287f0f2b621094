// What a projection keeps on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace quadpair {

/// dual: both families' codes and scales. shared: one set of codes, both scales. compact: one set of codes,
/// and QPN2's scales alone.
enum class StoragePolicy { dual, shared, compact };

constexpr std::string_view to_string(StoragePolicy policy) {
  switch (policy) {
    case StoragePolicy::dual: return "dual";
    case StoragePolicy::shared: return "shared";
    case StoragePolicy::compact: return "compact";
  }
  return "unknown";
}

constexpr std::optional<StoragePolicy> policy_from_string(std::string_view name) {
  for (StoragePolicy policy : {StoragePolicy::dual, StoragePolicy::shared, StoragePolicy::compact})
    if (to_string(policy) == name) return policy;
  return std::nullopt;
}

/// One device buffer of a projection, by its name in the ledger.
struct StorageItem {
  std::string_view
      name;  ///< "qpn2_codes", "turbomind_codes", "turbomind_scales", "qpn2_scales", "global_scales"
  std::size_t bytes = 0;
  friend bool operator==(const StorageItem&, const StorageItem&) = default;
};

/// The buffers of a padded [N, K] NVFP4 matrix under a policy, in the order above. `global_count` is 1 (by
/// value: no buffer) or the number of tiles, whose FP16 G are an item of their own.
std::vector<StorageItem> storage(StoragePolicy policy, std::uint32_t padded_n, std::uint32_t k,
                                 std::uint32_t global_count);

}  // namespace quadpair
