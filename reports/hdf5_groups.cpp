#include "reports/hdf5_groups.hpp"

#include <algorithm>
#include <utility>

namespace quadpair::reports {

GroupHandle open_group(hid_t parent, const std::string& name) {
  return GroupHandle(checked(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), "opening the group " + name));
}

std::vector<std::string> members(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* found) -> herr_t {
    static_cast<std::vector<std::string>*>(found)->emplace_back(name);
    return 0;
  };
  checked(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "listing a group");
  std::ranges::stable_sort(names, {}, [](const std::string& name) { return std::pair(name.size(), name); });
  return names;
}

}  // namespace quadpair::reports
