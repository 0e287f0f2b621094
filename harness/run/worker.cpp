#include "harness/run/worker.hpp"

#include <istream>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "cases/case_json.hpp"
#include "cases/error.hpp"
#include "harness/device/threads.hpp"
#include "harness/run/base64.hpp"
#include "harness/run/case_runner.hpp"
#include "reports/journal.hpp"
#include "reports/json_read.hpp"

namespace quadpair::run {
namespace {

using reports::Json;

Options with(const Options& options, const nlohmann::json& request) {
  Options asked = options;
  asked.outputs_only = request.at("outputs_only").get<bool>();
  asked.save_arrays = static_cast<SaveArrays>(request.at("save_arrays").get<int>());
  return asked;
}

}  // namespace

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string request_text(const cases::Case& c, const Request& request) {
  return line_of({{"case", cases::to_json(c)},
                  {"outputs_only", request.outputs_only},
                  {"save_arrays", static_cast<int>(request.save_arrays)}});
}

std::string answer_text(const reports::CaseRecord& record) {
  Json answer{{"case", reports::to_journal(record)}};
  if (record.arrays) answer["arrays"] = to_base64(reports::to_bytes(*record.arrays));
  return line_of(answer);
}

reports::CaseRecord answer_from_text(std::string_view line) try {
  const Json json = Json::parse(line);
  reports::CaseRecord record = reports::case_from_journal(json.at("case"));
  if (json.contains("arrays"))
    record.arrays = std::make_shared<const reports::CaseArrays>(
        reports::arrays_from_bytes(from_base64(json["arrays"].get_ref<const std::string&>())));
  return record;
} catch (const Json::exception& e) {
  throw reports::ReadError(e.what());
} catch (const std::invalid_argument& e) {
  throw reports::ReadError(e.what());
}

void answer_each(std::istream& in, std::ostream& out,
                 const std::function<std::string(const nlohmann::json& request)>& answer) {
  for (std::string line; std::getline(in, line);) try {
      out << answer(nlohmann::json::parse(line)) << "\n" << std::flush;
    } catch (const nlohmann::json::exception&) {
      throw cases::DataError("what came down the pipe is no request: " + line);
    }
}

void answer_requests(std::istream& in, std::ostream& out, const Options& options) {
  const unsigned threads = device::thread_count(options.jobs);
  Resources resources(options);
  answer_each(in, out, [&](const nlohmann::json& request) {
    return answer_text(
        run_case(cases::case_from_json(request.at("case")), with(options, request), resources, threads));
  });
}

}  // namespace quadpair::run
