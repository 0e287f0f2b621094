#include "harness/cli/common_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <system_error>

#include "harness/cli/files.hpp"

namespace quadpair::cli {

void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& description) {
  command.add_option("--seed", seed, description)
      ->check([](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc{} && end == text.data() + text.size()) return "";
        return fmt::format("\"{}\" is no whole number below 2^64", text);
      })
      ->type_name("UINT")
      ->capture_default_str();
}

void add_output(CLI::App& command, const std::string& name, std::string& file,
                const std::string& description) {
  command.add_option(name, file, description)->check(can_be_written)->type_name("F");
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("--quiet", quiet, "no progress")->disable_flag_override();
}

}  // namespace quadpair::cli
