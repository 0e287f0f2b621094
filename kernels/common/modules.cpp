#include <array>
#include <string>

#include "kernels/common/error.hpp"
#include "kernels/common/module.hpp"

namespace quadpair {

namespace embedded {
#define QUADPAIR_MODULE(symbol) extern const Module symbol;
#include "module_list.inc"
#undef QUADPAIR_MODULE
}  // namespace embedded

std::span<const Module> modules() {
  static const std::array all = {
#define QUADPAIR_MODULE(symbol) embedded::symbol,
#include "module_list.inc"
#undef QUADPAIR_MODULE
  };
  return all;
}

const Module& find_module(std::string_view name, Target target) {
  for (const Module& module : modules())
    if (module.name == name && module.target == target) return module;
  throw Refused("no kernel module " + std::string(name) + " for " + std::string(to_string(target)));
}

}  // namespace quadpair
