// What is known of the registers of an entry.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/mutate/equivalence/admitted.hpp"
#include "harness/mutate/equivalence/value.hpp"

namespace quadpair::mutate {

/// Of the registers of an entry, and after them of special registers and of the arguments, which do not
/// change.
using Known = std::vector<Value>;

/// Before any instruction. A block has as many threads as the entry may have, all along x.
Known known_at_begin(const ptx::Entry& entry, const Admitted& admitted);

/// Where Known has a special register, if it has it, and an argument.
std::optional<std::size_t> place_of_special(const ptx::Entry& entry, std::string_view name);
std::size_t place_of_argument(const ptx::Entry& entry, std::size_t argument);

/// With what is known by now of the special registers and arguments that it is made of.
Value refined(Value value, const Known& known);

}  // namespace quadpair::mutate
