#include "harness/cli/host.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <random>
#include <thread>

namespace quadpair::cli {
namespace {

/// The value of the first line `key<separator>value` of a file.
std::string value_in(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    std::string value = line.substr(line.find(separator) + 1);
    const std::size_t first = value.find_first_not_of(" \t\"");
    const std::size_t last = value.find_last_not_of(" \t\"");
    if (first != std::string::npos) return value.substr(first, last - first + 1);
  }
  return "unknown";
}

}  // namespace

reports::Host this_host() {
  return {value_in("/proc/cpuinfo", "model name", ':'), std::thread::hardware_concurrency(),
          value_in("/etc/os-release", "PRETTY_NAME", '=')};
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string new_run_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace quadpair::cli
