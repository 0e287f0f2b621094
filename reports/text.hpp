// Text of reports inside other languages. What comes from a report is never markup.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace quadpair::reports {

/// Valid UTF-8 of the characters that XML 1.0 and HTML admit; others, and bytes that are no UTF-8, become
/// U+FFFD.
std::string readable(std::string_view text);

/// readable() as text or in an attribute's quotes, in HTML and XML: & < > " ' and line breaks as references.
std::string escaped(std::string_view text);

/// At most `most` bytes, cut between characters, "…" where something was cut.
std::string shortened(std::string_view text, std::size_t most);

/// "1 case", "2 cases".
std::string counted(std::uint64_t n, std::string_view noun);

/// "3,044,802,560".
std::string grouped(std::uint64_t n);

/// "−3,044,802,560", "+64".
std::string signed_grouped(std::int64_t n);

/// "−7.572021": 2^30 bytes, six decimals.
std::string gibibytes(std::int64_t bytes);

}  // namespace quadpair::reports
