// Options that several commands have.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace quadpair::cli {

/// --seed, checked to be a whole number below 2^64.
void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& description);

/// An option `name` for a file to write, where one can be written.
void add_output(CLI::App& command, const std::string& name, std::string& file,
                const std::string& description);

/// --quiet, which takes no value.
void add_quiet(CLI::App& command, bool& quiet);

}  // namespace quadpair::cli
