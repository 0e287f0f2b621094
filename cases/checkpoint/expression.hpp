// Sizes written as products of a config's numbers: "2*num_attention_heads*head_dim".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace quadpair::cases {

/// The value of a sum of products of whole numbers and names, with division where it leaves no rest:
/// TERM {"+" TERM}, TERM = FACTOR {("*" | "/") FACTOR}, from left to right. `number` gives a name's value.
/// Throws DataError naming `where` and the expression when it is not well formed, leaves a rest, or its
/// value is not below 2^32; and what `number` throws.
std::uint32_t evaluate(std::string_view expression, const std::string& where,
                       const std::function<std::uint64_t(std::string_view name)>& number);

}  // namespace quadpair::cases
