// SHA-256 of data.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>

namespace quadpair::compare {

/// Lower-case hex of the parts on end.
std::string sha256(std::initializer_list<std::span<const std::byte>> parts);

}  // namespace quadpair::compare
