#include "reports/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace quadpair::reports {
namespace {

/// A character and how many bytes it takes; nothing where the bytes are no UTF-8 (RFC 3629).
struct Decoded {
  char32_t character;
  std::size_t bytes;
};

std::optional<Decoded> decode(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return Decoded{first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return std::nullopt;
  char32_t character = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) return std::nullopt;
    character = character << 6 | (next & 0x3F);
  }
  constexpr char32_t fewest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (character < fewest[bytes] || character > 0x10FFFF) return std::nullopt;
  return Decoded{character, bytes};
}

/// Char of XML 1.0, without the C1 controls, which HTML does not admit.
bool admitted(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  if (c >= 0x7F && c < 0xA0) return false;
  return c < 0xD800 || (c > 0xDFFF && (c & 0xFFFE) != 0xFFFE);
}

}  // namespace

std::string readable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto decoded = decode(text);
    const std::size_t bytes = decoded ? decoded->bytes : 1;
    if (decoded && admitted(decoded->character))
      out.append(text.substr(0, bytes));
    else
      out.append("\uFFFD");
    text.remove_prefix(bytes);
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : readable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '\n': out += "&#10;"; break;
      case '\r': out += "&#13;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  constexpr std::string_view ellipsis = "…";
  std::size_t end = most - ellipsis.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)).append(ellipsis);
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string signed_grouped(std::int64_t n) {
  const auto size = static_cast<std::uint64_t>(n);
  return n < 0 ? fmt::format("−{}", grouped(0 - size)) : fmt::format("+{}", grouped(size));
}

std::string gibibytes(std::int64_t bytes) {
  const double gib = static_cast<double>(bytes) / static_cast<double>(std::uint64_t{1} << 30);
  return fmt::format("{}{:.6f}", gib < 0 ? "−" : "", std::abs(gib));
}

}  // namespace quadpair::reports
