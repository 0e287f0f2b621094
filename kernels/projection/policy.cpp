#include "kernels/projection/policy.hpp"

#include "kernels/convert/turbomind.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair {

std::vector<StorageItem> storage(StoragePolicy policy, std::uint32_t padded_n, std::uint32_t k,
                                 std::uint32_t global_count) {
  std::vector<StorageItem> items;
  if (policy == StoragePolicy::dual) items.push_back({"qpn2_codes", qpn2::code_bytes(padded_n, k)});
  items.push_back({"turbomind_codes", convert::turbomind_code_bytes(padded_n, k)});
  if (policy != StoragePolicy::compact)
    items.push_back({"turbomind_scales", convert::turbomind_scale_bytes(padded_n, k)});
  items.push_back({"qpn2_scales", qpn2::scale_bytes(padded_n, k)});
  if (global_count > 1) items.push_back({"global_scales", global_count * sizeof(std::uint16_t)});
  return items;
}

}  // namespace quadpair
