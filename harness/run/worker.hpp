// What is said between a run and the worker process that runs its cases: a line of JSON each way.
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "cases/suite.hpp"
#include "harness/run/options.hpp"
#include "reports/json.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// What is asked of a worker besides the case; the rest comes with its command.
struct Request {
  bool outputs_only = false;  ///< just the device part
  SaveArrays save_arrays = SaveArrays::never;
};

/// JSON on one line. Messages of a case may hold bytes that are no UTF-8.
std::string line_of(const reports::Json& json);

std::string request_text(const cases::Case& c, const Request& request);

/// The answer: a record, kernels and arrays and all, on one line.
std::string answer_text(const reports::CaseRecord& record);

/// The record in an answer. Throws reports::ReadError.
reports::CaseRecord answer_from_text(std::string_view line);

/// A worker: gives each request on `in`, until it ends, the answer that `answer` makes of it, one line, on
/// `out`. Throws cases::DataError for what is no request.
void answer_each(std::istream& in, std::ostream& out,
                 const std::function<std::string(const nlohmann::json& request)>& answer);

/// The worker that verifies.
void answer_requests(std::istream& in, std::ostream& out, const Options& options);

}  // namespace quadpair::run
