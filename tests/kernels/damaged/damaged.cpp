#include "tests/kernels/damaged/damaged.hpp"

#include <ostream>
#include <stdexcept>
#include <string>

namespace quadpair {
namespace embedded {
#define QUADPAIR_MODULE(symbol) extern const Module symbol;
#include "module_list.inc"
#undef QUADPAIR_MODULE
}  // namespace embedded

namespace damaged {

std::string_view to_string(Damage damage) {
  switch (damage) {
    case Damage::wrong_shift: return "wrong_shift";
    case Damage::dropped_barrier: return "dropped_barrier";
    case Damage::swapped_scales: return "swapped_scales";
    case Damage::exchanged_halves: return "exchanged_halves";
    case Damage::nibble_order: return "nibble_order";
    case Damage::cut_codes: return "cut_codes";
    case Damage::highest_id: return "highest_id";
  }
  return "unknown";
}

std::string label(const Variant& variant) {
  std::string text(variant.module);
  text[text.find('/')] = '_';
  return text.append("_").append(to_string(variant.damage));
}

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << label(variant);
}

const Module& damaged_module(const Variant& variant, Target target) {
  const std::string_view damage = to_string(variant.damage);
#define QUADPAIR_MODULE(symbol)                                                       \
  if (embedded::symbol.target == target && embedded::symbol.name == variant.module && \
      std::string_view(#symbol).ends_with(damage))                                    \
    return embedded::symbol;
#include "module_list.inc"
#undef QUADPAIR_MODULE
  throw std::logic_error("no damaged module " + label(variant));
}

const Module& find_module(const Variant& variant, std::string_view name, Target target) {
  return name == variant.module ? damaged_module(variant, target) : quadpair::find_module(name, target);
}

}  // namespace damaged
}  // namespace quadpair
