#include "harness/run/repro.hpp"

namespace quadpair::run {

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@,+%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string exact_pattern(std::string_view id) {
  constexpr std::string_view special = "^$\\.*+?()[]{}|";
  std::string pattern = "^";
  for (const char c : id) {
    if (special.find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "$";
}

std::string repro(std::string_view command, std::string_view id) {
  return std::string(command) + " --filter " + shell_word(exact_pattern(id));
}

}  // namespace quadpair::run
