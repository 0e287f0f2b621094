#include "harness/cli/words.hpp"

#include "harness/run/repro.hpp"

namespace quadpair::cli {
namespace {

std::string portable_word(const std::string& word) {
  std::size_t value = 0;  // of --option=/path and -o/path
  if (word.starts_with("--") && word.find("=/") != std::string::npos) value = word.find("=/") + 1;
  if (word.size() > 2 && word[0] == '-' && word[1] != '-' && word[2] == '/') value = 2;
  return word.substr(0, value) + portable_path(word.substr(value));
}

}  // namespace

std::string portable_path(const std::string& path) {
  const std::filesystem::path given(path);
  if (!given.is_absolute()) return path;
  return given.lexically_proximate(std::filesystem::current_path()).string();
}

std::string portable_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    if (!command.empty()) command += ' ';
    command += run::shell_word(portable_word(word));
  }
  return command;
}

}  // namespace quadpair::cli
