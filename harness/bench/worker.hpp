// What is said between a benchmark and the worker process that measures its cases: a line of JSON each way.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "cases/suite.hpp"
#include "harness/bench/case_bench.hpp"
#include "harness/bench/result.hpp"

namespace quadpair::bench {

std::string request_text(const cases::Case& c);

/// The answer: record and comparison, every sample to the last bit, on one line.
std::string answer_text(const Result& result);

/// The result in an answer. Throws reports::ReadError, and device::Unavailable where that is the answer.
Result answer_from_text(std::string_view line);

/// The worker: answers each request on `in`, until it ends. Throws cases::DataError for what is no request.
void answer_requests(std::istream& in, std::ostream& out, Bench& bench);

}  // namespace quadpair::bench
