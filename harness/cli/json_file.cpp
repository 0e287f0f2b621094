#include "harness/cli/json_file.hpp"

#include "harness/cli/run_record.hpp"
#include "reports/atomic_file.hpp"

namespace quadpair::cli {

void write_json(const std::string& file, const reports::Json& json) {
  if (file.empty()) return;
  // Names of files need not be UTF-8.
  writable("--json", [&] {
    reports::write_atomically(file, json.dump(1, ' ', false, reports::Json::error_handler_t::replace) + "\n");
  });
}

}  // namespace quadpair::cli
