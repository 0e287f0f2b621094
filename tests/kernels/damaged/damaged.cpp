#include "tests/kernels/damaged/damaged.hpp"

#include <stdexcept>

namespace quadpair {
namespace embedded {
#define QUADPAIR_MODULE(symbol) extern const Module symbol;
#include "module_list.inc"
#undef QUADPAIR_MODULE
}  // namespace embedded

namespace damaged {

const Module& damaged_module(Damage damage, Target target) {
  const std::string_view wanted = to_string(damage);
#define QUADPAIR_MODULE(symbol)                                                         \
  if (embedded::symbol.target == target && std::string_view(#symbol).ends_with(wanted)) \
    return embedded::symbol;
#include "module_list.inc"
#undef QUADPAIR_MODULE
  throw std::logic_error("no damaged module");
}

}  // namespace damaged
}  // namespace quadpair
