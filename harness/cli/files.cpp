#include "harness/cli/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "harness/cli/exit_status.hpp"

namespace quadpair::cli {

std::string not_empty(const std::string& path) {
  return path.empty() ? "a file name is missing" : "";
}

void require_distinct(const std::vector<NamedFile>& files) {
  std::map<std::filesystem::path, std::string> options;
  for (const NamedFile& file : files) {
    if (file.path.empty()) continue;
    std::error_code unknown;  // of a path that cannot be looked up: its own reader or writer says so
    std::filesystem::path place = std::filesystem::weakly_canonical(file.path, unknown);
    if (unknown) place = file.path;
    const auto [other, is_new] = options.emplace(std::filesystem::absolute(place), file.option);
    if (!is_new)
      throw Error(Exit::usage,
                  fmt::format("{} and {} name the same file, {}", other->second, file.option, file.path));
  }
}

std::string beside(const std::string& report, const std::string& other) {
  if (report.empty() || other.empty()) return "";
  const std::filesystem::path folder = std::filesystem::absolute(report).parent_path();
  return std::filesystem::absolute(other).lexically_relative(folder).lexically_normal();
}

}  // namespace quadpair::cli
