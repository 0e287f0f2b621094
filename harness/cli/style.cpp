#include "harness/cli/style.hpp"

namespace quadpair::cli {
namespace {

std::string_view code_of(Tint tint) {
  switch (tint) {
    case Tint::plain: return "";
    case Tint::bold: return "1";
    case Tint::green: return "32";
    case Tint::red: return "31";
    case Tint::yellow: return "33";
  }
  return "";
}

}  // namespace

std::string Style::operator()(Tint tint, std::string_view text) const {
  if (!colour_ || tint == Tint::plain) return std::string(text);
  std::string out = "\033[";
  return out.append(code_of(tint)).append("m").append(text).append("\033[0m");
}

}  // namespace quadpair::cli
