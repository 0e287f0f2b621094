// Command lines as they may stand in a report: without absolute paths.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quadpair::cli {

/// A path relative to the working folder; relative ones stay as they are.
std::string portable_path(const std::string& path);

/// A command line, safe for a shell, with every absolute path (also in --option=/path) made relative.
std::string portable_command(const std::vector<std::string>& words);

}  // namespace quadpair::cli
