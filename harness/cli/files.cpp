#include "harness/cli/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "harness/cli/exit_status.hpp"
#include "reports/atomic_file.hpp"

namespace quadpair::cli {
namespace {

std::filesystem::path place_of(const std::string& path) {
  std::error_code unknown;  // of a path that cannot be looked up: its own reader or writer says so
  std::filesystem::path place = std::filesystem::weakly_canonical(path, unknown);
  return std::filesystem::absolute(unknown ? std::filesystem::path(path) : place);
}

Error same_file(const std::string& option, const NamedFile& file) {
  return {Exit::usage, fmt::format("{} and {} name the same file, {}", option, file.option, file.path)};
}

}  // namespace

std::string not_empty(const std::string& path) {
  return path.empty() ? "a file name is missing" : "";
}

std::string can_be_written(const std::string& path) {
  if (std::string complaint = not_empty(path); !complaint.empty()) return complaint;
  try {
    reports::require_writable(path);
  } catch (const std::system_error& e) {
    return e.what();
  }
  return "";
}

void require_distinct(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  std::map<std::filesystem::path, std::string> taken;
  for (const NamedFile& file : written) {
    if (file.path.empty()) continue;
    const auto [other, is_new] = taken.emplace(place_of(file.path), file.option);
    if (!is_new) throw same_file(other->second, file);
  }
  for (const NamedFile& file : read) {
    if (file.path.empty()) continue;
    const auto other = taken.find(place_of(file.path));
    if (other != taken.end()) throw same_file(other->second, file);
  }
}

std::string beside(const std::string& report, const std::string& other) {
  if (report.empty() || other.empty()) return "";
  const std::filesystem::path folder = std::filesystem::absolute(report).parent_path();
  return std::filesystem::absolute(other).lexically_relative(folder).lexically_normal();
}

}  // namespace quadpair::cli
