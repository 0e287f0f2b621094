#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>

#include "cases/suite.hpp"
#include "harness/cli/command.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::cli {
namespace {

std::string options_of(const CLI::App& command) {
  std::string words;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) words += " --" + name;
  return words;
}

std::string values(const std::string& option, const std::string& words) {
  return fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", option, words);
}

/// A bash function that knows the subcommands, their options, and the values of options with few.
std::string bash_script(const CLI::App& program) {
  std::string suites, models, commands, by_command;
  for (const std::string& name : cases::suite_names()) suites += " " + name;
  for (const reference::Model model : reference::all_models) models += fmt::format(" {}", to_string(model));
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->get_group().empty()) continue;  // not for users
    const std::string& name = command->get_name();
    commands += " " + name;
    const char* places = name == "list"         ? " suites cases kernels devices models"
                         : name == "completion" ? " bash"
                                                : "";
    by_command += fmt::format("    {}) words='{}{}' ;;\n", name, options_of(*command), places);
  }
  return "# bash completion of quadpair: source this file, or put it into a bash-completion folder\n"
         "_quadpair() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words\n"
         "  case $before in\n" +
         values("--suite", suites) + values("--model", models) + values("--device", "emulator cuda") +
         values("--control", "stream cublas sm70 sm80 sm90") + values("--policy", "dual shared compact") +
         values("--against", "dual shared compact") + values("--quantize", "none nvfp4 fp8") +
         values("--save-arrays", "never failures always") +
         "    --cases|--json|--hdf5|--junit|--markdown|--html|--checkpoint|--family|--output|-o) "
         "COMPREPLY=($(compgen -f -- "
         "\"$word\")); return ;;\n"
         "  esac\n"
         "  case ${COMP_WORDS[1]} in\n" +
         by_command + fmt::format("    *) words='{} {}' ;;\n", commands, options_of(program)) +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -F _quadpair quadpair\n";
}

}  // namespace

Action add_completion(CLI::App& program, const Environment& environment) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& command = *program.add_subcommand("completion", "Write a completion script for a shell");
  command.add_option("shell", *shell, "bash")->required()->check(CLI::IsMember({"bash"}));
  command.footer(
      "Example:\n  quadpair completion bash > ~/.local/share/bash-completion/completions/quadpair");
  return [shell, &program, &environment] {
    environment.out << bash_script(program);
    return 0;
  };
}

}  // namespace quadpair::cli
