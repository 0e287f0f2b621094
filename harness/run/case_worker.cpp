#include "harness/run/case_worker.hpp"

#include <fmt/format.h>

#include "harness/run/case_runner.hpp"
#include "harness/run/deal.hpp"
#include "reports/json_read.hpp"

namespace quadpair::run {

std::chrono::seconds time_allowed(const cases::Case& c, const cases::SliceSource& slices) {
  constexpr std::uint64_t least = 120, a_second = 100'000'000;
  return std::chrono::seconds(least + multiplications(c, slices) / a_second);
}

std::optional<reports::CaseRecord> CaseWorker::ask(const cases::Case& c, std::string_view request,
                                                   const Read& read) {
  reports::CaseRecord record = begin_record(c, options_);
  try {
    if (!process_) process_.emplace(isolation_.command);
    const auto answer = process_->ask(request, isolation_.timeout.value_or(time_allowed(c, *options_.slices)),
                                      stop_, isolation_.grace);
    if (!answer) return std::nullopt;
    reports::CaseRecord answered = read(*answer);
    if (answered.id != c.id) throw reports::ReadError("a record of " + answered.id);
    answered.repro = record.repro;
    record = std::move(answered);
  } catch (const WorkerLost& e) {
    record.reason = fmt::format("worker process: {}", e.what());
  } catch (const reports::ReadError& e) {
    record.reason = fmt::format("worker process: answered nonsense: {}", e.what());
  }
  if (record.status == reports::Status::failed) process_.reset();
  return record;
}

}  // namespace quadpair::run
