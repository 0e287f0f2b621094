// Colour where it is wanted.
#pragma once

#include <string>
#include <string_view>

namespace quadpair::cli {

enum class Tint { plain, bold, green, red, yellow };

/// Puts SGR escapes around text, or none.
class Style {
 public:
  explicit Style(bool colour) : colour_(colour) {}
  std::string operator()(Tint tint, std::string_view text) const;

 private:
  bool colour_;
};

}  // namespace quadpair::cli
