#include "harness/run/case_runner.hpp"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <exception>

#include "cases/error.hpp"
#include "cases/operators.hpp"
#include "harness/run/head/verify_head.hpp"
#include "harness/run/problem.hpp"
#include "harness/run/repro.hpp"
#include "harness/run/verify_matrix.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::run {
namespace {

using reports::Status;

/// The case itself; fills the record as far as it comes and lets everything through.
void work(const cases::Case& c, const Options& options, Resources& resources, unsigned threads,
          reports::CaseRecord& record) {
  if (const auto traits = cases::operator_traits(c.operation); traits && traits->head)
    return verify_head(c, options, resources, threads, record);
  const Slice slice = resources.matrices.slice(c.slice);
  record.slice.source = slice.weights->source;
  record.slice.sha256 = slice.sha256;
  record.shape = {c.m, slice.weights->n, slice.weights->k, 0};
  const Problem problem = make_problem(c, *slice.weights);
  record.shape.padded_n = problem.padded_n;
  record.split_k = problem.op.split_k;
  record.chains = problem.op.chains;
  record.workspace_bytes = problem.op.workspace_bytes;
  if (problem.op.plan) record.plan = to_string(*problem.op.plan);
  const auto matrix = resources.matrices.matrix(c.slice, problem.halves);
  record.coverage = matrix->coverage;
  verify_matrix(c, problem, *matrix, options, resources.devices, threads, record);
}

/// Status and reason of a case that was refused with `message`.
void refuse(const cases::Case& c, const std::string& message, reports::CaseRecord& record) {
  record.reason = message;
  if (!c.refused) {
    record.status = Status::refused;
  } else if (message.find(*c.refused) != std::string::npos) {
    record.status = Status::passed;
  } else {
    record.status = Status::failed;
    record.reason = fmt::format("refused for another reason than \"{}\": {}", *c.refused, message);
  }
}

void fail(reports::CaseRecord& record, const std::string& reason) {
  record.status = Status::failed;
  record.reason = reason;
}

}  // namespace

reports::CaseRecord begin_record(const cases::Case& c, const Options& options) {
  reports::CaseRecord record;
  record.id = c.id;
  record.operation = c.operation;
  record.target = c.target;
  record.model = c.model;
  record.slice = {c.slice, "", c.rank, c.tp, ""};
  record.shape.m = c.m;
  record.layout = c.layout;
  record.repro = repro(options.repro_command, c.id);
  if (const auto why = options.why_skipped(c)) {
    record.status = Status::skipped;
    record.reason = *why;
  } else {
    fail(record, "not run");
  }
  return record;
}

reports::CaseRecord run_case(const cases::Case& c, const Options& options, Resources& resources,
                             unsigned threads) {
  reports::CaseRecord record = begin_record(c, options);
  if (record.status == Status::skipped) return record;
  try {
    tbb::task_arena arena(static_cast<int>(threads));
    arena.execute([&] { work(c, options, resources, threads, record); });
    if (c.refused) fail(record, fmt::format("ran, but should have been refused with \"{}\"", *c.refused));
  } catch (const Refused& e) {
    refuse(c, e.what(), record);
  } catch (const RangeError& e) {
    refuse(c, e.what(), record);
  } catch (const cases::DataError& e) {
    refuse(c, e.what(), record);
  } catch (const device::Unavailable& e) {
    record.status = Status::skipped;
    record.reason = e.what();
  } catch (const device::Fault& e) {
    fail(record, fmt::format("device fault: {}", e.what()));
  } catch (const std::exception& e) {
    fail(record, e.what());
  }
  return record;
}

}  // namespace quadpair::run
