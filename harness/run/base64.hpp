// Bytes as text without line ends (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace quadpair::run {

std::string to_base64(std::string_view bytes);

/// Throws std::invalid_argument for what is no padded base64.
std::string from_base64(std::string_view text);

}  // namespace quadpair::run
