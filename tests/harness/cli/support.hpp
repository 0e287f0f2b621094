// Calls of the program in process.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "harness/cli/app.hpp"

namespace quadpair::cli {

struct Result {
  int status;
  std::string out, err;
};

struct Terminal {
  bool out = false, err = false, no_color = false;
};

/// Runs `quadpair` with the arguments.
inline Result call(std::vector<std::string> arguments, const run::ModuleLookup& find = quadpair::find_module,
                   Terminal terminal = {}) {
  arguments.insert(arguments.begin(), "quadpair");
  std::ostringstream out, err;
  const int status = run(arguments, {out, err, terminal.out, terminal.err, terminal.no_color, find});
  return {status, out.str(), err.str()};
}

/// A folder of the test's own.
class Folder {
 public:
  Folder() : path_(std::filesystem::path("cli-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string read(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

inline nlohmann::json read_json(const std::string& file) {
  return nlohmann::json::parse(read(file));
}

inline void write(const std::string& file, const std::string& text) {
  std::ofstream(file) << text;
}

}  // namespace quadpair::cli
