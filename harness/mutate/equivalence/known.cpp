#include "harness/mutate/equivalence/known.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "harness/device/emulator/ptx/types.hpp"
#include "harness/mutate/equivalence/bits.hpp"

namespace quadpair::mutate {
namespace {

/// In the order in which Known has them.
constexpr std::array<std::string_view, 3> specials = {"%tid.x", "%ctaid.x", "%ctaid.y"};

}  // namespace

Known known_at_begin(const ptx::Entry& entry, const Admitted& admitted) {
  Known known;
  for (const ptx::Register& reg : entry.registers) known.push_back(Value::any(width_of(reg.cls)));
  const auto add = [&](Value value) {
    value.made_of =
        std::make_shared<const Bits>(bits_of(Value::any(value.width), static_cast<int>(known.size())));
    known.push_back(std::move(value));
  };
  const std::uint64_t threads = entry.max_threads != 0 ? entry.max_threads : 1024;
  for (const std::uint64_t number : {threads, admitted.blocks_x, admitted.blocks_y})
    add(Value::between(32, 0, number - 1));
  for (const Value& parameter : admitted.parameters) add(parameter);
  return known;
}

std::optional<std::size_t> place_of_special(const ptx::Entry& entry, std::string_view name) {
  const auto at = std::ranges::find(specials, name);
  if (at == specials.end()) return std::nullopt;
  return entry.registers.size() + static_cast<std::size_t>(at - specials.begin());
}

std::size_t place_of_argument(const ptx::Entry& entry, std::size_t argument) {
  return entry.registers.size() + specials.size() + argument;
}

Value refined(Value value, const Known& known) {
  if (!value.made_of) return value;
  for (unsigned i = 0; i < value.width; ++i) {
    const Bit& bit = (*value.made_of)[i];
    if (bit.reg < 0) continue;
    const Value& special = known[static_cast<std::size_t>(bit.reg)];
    value.zeros |= (special.zeros >> bit.place & 1) << i;
    value.ones |= (special.ones >> bit.place & 1) << i;
  }
  return value.tightened();
}

}  // namespace quadpair::mutate
