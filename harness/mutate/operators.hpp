// Mnemonics that stand in for one another in a damaged kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadpair::mutate {

/// Other operations on the same operands: "add.s32" becomes "sub.s32"; comparisons become each other. Empty
/// for what has none.
std::vector<std::string> other_operations(std::string_view mnemonic);

/// The same operation rounded otherwise, or on numbers of the other signedness.
std::vector<std::string> other_roundings(std::string_view mnemonic);

}  // namespace quadpair::mutate
