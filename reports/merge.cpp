#include "reports/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/same_run.hpp"

namespace quadpair::reports {
namespace {

void require_finished(const NamedReport& shard) {
  const RunRecord& run = shard.report.run;
  const std::size_t cases = shard.report.cases.size();
  if (cases == run.planned && !run.interrupted && !run.finished.empty()) return;
  throw MergeError(fmt::format("{}: shard {}/{} is not finished: {} of {} cases{}; go on with --resume",
                               shard.name, run.shard.index, run.shard.of, cases, run.planned,
                               run.interrupted ? ", interrupted by " + run.interrupted->signal : ""));
}

/// Each shard once, and none missing.
void require_whole(const std::vector<NamedReport>& shards) {
  std::map<std::uint32_t, std::string> files;
  const std::uint32_t of = shards.front().report.run.shard.of;
  for (const NamedReport& shard : shards) {
    const Shard part = shard.report.run.shard;
    if (part.of != of || part.index < 1 || part.index > of)
      throw MergeError(fmt::format("{}: shard {}/{} where {} has one of {}", shard.name, part.index, part.of,
                                   shards.front().name, of));
    const auto [other, first] = files.emplace(part.index, shard.name);
    if (!first)
      throw MergeError(
          fmt::format("{}: shard {}/{} again, after {}", shard.name, part.index, of, other->second));
  }
  std::string missing;
  for (std::uint32_t index = 1; index <= of; ++index)
    if (!files.contains(index)) missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", index, of);
  if (!missing.empty()) throw MergeError("missing: shard " + missing);
}

/// " + " between, each once.
void append(std::string& all, const std::string& one) {
  if (fmt::format(" + {} + ", all).find(fmt::format(" + {} + ", one)) == std::string::npos)
    all += " + " + one;
}

/// Adds the cases, each of which must have a place of its own in the suite.
void add_cases(const NamedReport& shard, std::map<std::uint64_t, CaseRecord>& cases) {
  for (const CaseRecord& record : shard.report.cases) {
    if (!record.index)
      throw MergeError(fmt::format("{}: {} has no place in the suite (written by an older version)",
                                   shard.name, record.id));
    if (!cases.emplace(*record.index, record).second)
      throw MergeError(fmt::format("{}: {} has the place of another case", shard.name, record.id));
  }
}

}  // namespace

Report merge(const std::vector<NamedReport>& shards) {
  if (shards.empty()) throw MergeError("no shard");
  Report whole{shards.front().report.run};
  whole.ledger = shards.front().report.ledger;
  RunRecord& run = whole.run;
  for (const NamedReport& shard : shards) {
    if (const auto other = difference(shard.report.run, run))
      throw MergeError(
          fmt::format("{}: not of one run with {}: {}", shard.name, shards.front().name, *other));
    if (!shard.report.timings.empty())
      throw MergeError(fmt::format("{}: timings of shards are not merged", shard.name));
    require_finished(shard);
    run.kernels.insert(run.kernels.end(), shard.report.run.kernels.begin(), shard.report.run.kernels.end());
  }
  require_whole(shards);
  std::map<std::uint64_t, CaseRecord> cases;
  run.planned = 0;
  for (const NamedReport& shard : shards) {
    const RunRecord& part = shard.report.run;
    run.planned += part.planned;
    run.started = std::min(run.started, part.started);
    run.finished = std::max(run.finished, part.finished);
    append(run.host.cpu, part.host.cpu);
    append(run.host.os, part.host.os);
    run.host.cores = std::max(run.host.cores, part.host.cores);
    add_cases(shard, cases);
  }
  if (cases.size() != run.suite->cases || cases.rbegin()->first >= run.suite->cases)
    throw MergeError(fmt::format("{} cases of {}", cases.size(), run.suite->cases));
  run.shard = {};
  run.id.clear();
  run.command.clear();
  for (auto& [index, record] : cases) whole.cases.push_back(std::move(record));
  return whole;
}

}  // namespace quadpair::reports
