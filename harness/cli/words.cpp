#include "harness/cli/words.hpp"

#include "harness/run/repro.hpp"

namespace quadpair::cli {
namespace {

std::string portable_word(const std::string& word) {
  const std::size_t equals = word.find("=/");
  if (word.starts_with("--") && equals != std::string::npos)
    return word.substr(0, equals + 1) + portable_path(word.substr(equals + 1));
  return portable_path(word);
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
