#include "harness/cli/json_file.hpp"

#include <fmt/format.h>

#include <system_error>

#include "harness/cli/exit_status.hpp"
#include "reports/atomic_file.hpp"

namespace quadpair::cli {

void write_json(const std::string& file, const reports::Json& json) {
  if (file.empty()) return;
  try {
    reports::write_atomically(file, json.dump(1) + "\n");
  } catch (const std::system_error& e) {
    throw Error(Exit::usage, fmt::format("--json: {}", e.what()));
  }
}

}  // namespace quadpair::cli
