#include "harness/run/worker.hpp"

#include <istream>
#include <ostream>

#include "cases/case_json.hpp"
#include "cases/error.hpp"
#include "harness/device/threads.hpp"
#include "harness/run/case_runner.hpp"
#include "reports/json_read.hpp"

namespace quadpair::run {
namespace {

using reports::Json;

/// Messages of a case may hold bytes that are no UTF-8.
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string answer_text(const reports::CaseRecord& record) {
  Json kernels = Json::array();
  for (const reports::KernelRecord& kernel : record.kernels) kernels.push_back(reports::to_json(kernel));
  return line_of({{"case", reports::to_json(record)}, {"kernels", kernels}});
}

}  // namespace

std::string request_text(const cases::Case& c, bool outputs_only) {
  return line_of({{"case", cases::to_json(c)}, {"outputs_only", outputs_only}});
}

reports::CaseRecord answer_from_text(std::string_view line) try {
  const Json json = Json::parse(line);
  reports::CaseRecord record = reports::case_from_json(json.at("case"));
  for (const Json& kernel : json.at("kernels")) record.kernels.push_back(reports::kernel_from_json(kernel));
  return record;
} catch (const Json::exception& e) {
  throw reports::ReadError(e.what());
}

void answer_requests(std::istream& in, std::ostream& out, const Options& options) {
  const unsigned threads = device::thread_count(options.jobs);
  Options outputs_only = options;
  outputs_only.outputs_only = true;
  Resources resources(options);
  for (std::string line; std::getline(in, line);) {
    const auto request = nlohmann::json::parse(line, nullptr, false);
    if (!request.is_object() || !request.contains("case"))
      throw cases::DataError("what came down the pipe is no request: " + line);
    const bool short_one = request.value("outputs_only", false);
    out << answer_text(run_case(cases::case_from_json(request["case"]), short_one ? outputs_only : options,
                                resources, threads))
        << "\n"
        << std::flush;
  }
}

}  // namespace quadpair::run
