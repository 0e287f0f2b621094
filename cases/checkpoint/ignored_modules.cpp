// Which modules a declaration leaves alone.
#include <fmt/format.h>
#include <re2/re2.h>

#include "cases/checkpoint/quant_format.hpp"
#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

/// fnmatch's `*` and `?`. Linear but for one remembered star.
bool matches_glob(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == text[t] && pattern[p] != '*'))) {
      ++t;
      ++p;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches_expression(std::string_view text, const std::string& expression, const std::string& declared) {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  const RE2 pattern(expression, quiet);
  if (!pattern.ok())
    throw DataError(fmt::format("{}: \"re:{}\" is no expression: {}", declared, expression, pattern.error()));
  return pattern.Match(text, 0, text.size(), RE2::ANCHOR_START, nullptr, 0);
}

}  // namespace

bool QuantFormat::ignores(std::string_view module) const {
  for (const std::string& entry : ignored) {
    if (entry.starts_with("re:")) {
      if (matches_expression(module, entry.substr(3), declared)) return true;
    } else if (matches_glob(module, entry) ||
               (module.starts_with(entry) && module.size() > entry.size() && module[entry.size()] == '.')) {
      return true;
    }
  }
  return false;
}

}  // namespace quadpair::cases
