#include "reports/json.hpp"

namespace quadpair::reports {
namespace {

Json to_json(const Counts& counts) {
  Json json = Json::object();
  for (const auto& [name, n] : counts) json[name] = n;
  return json;
}

Json to_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const Check& check) {
  Json json{{"name", check.name},
            {"kind", to_string(check.kind)},
            {"elements", check.elements},
            {"mismatches", check.mismatches},
            {"first", nullptr},
            {"expected_hash", check.expected_hash},
            {"actual_hash", check.actual_hash},
            {"columns", check.columns}};
  if (check.first)
    json["first"] = {{"index", check.first->index},
                     {"expected", check.first->expected},
                     {"actual", check.first->actual},
                     {"bound", to_json(check.first->bound)}};
  return json;
}

Json to_json(const std::optional<CostRecord>& cost) {
  Json json = Json::object();
  if (!cost) return json;
  json["warp_instructions"] = to_json(cost->warp_instructions);
  const auto add = [&](const char* name, const std::optional<std::uint64_t>& n) {
    if (n) json[name] = *n;
  };
  add("global_sectors", cost->global_sectors);
  add("fewest_sectors", cost->fewest_sectors);
  add("shared_conflicts", cost->shared_conflicts);
  add("divergent_branches", cost->divergent_branches);
  json["mma"] = to_json(cost->mma);
  return json;
}

Json to_json(const ScreeningRecord& screening) {
  return {{"rows", screening.rows},
          {"top1_differs", screening.top1_differs},
          {"top_differs", screening.top_differs},
          {"top1_certain", screening.top1_certain},
          {"top_certain", screening.top_certain}};
}

Json to_json(const DeviceRecord& device) {
  Json arithmetic = Json::array();
  for (const Arithmetic& a : device.arithmetic)
    arithmetic.push_back({{"model", a.model}, {"chosen_by", a.chosen_by}});
  return {{"kind", device.kind},     {"name", device.name},       {"arithmetic", arithmetic},
          {"driver", device.driver}, {"runtime", device.runtime}, {"clocks_mhz", Json(device.clocks_mhz)}};
}

Json to_json(const WeightedRecord& weighted) {
  return {{"m", weighted.m},
          {"name", weighted.name},
          {"ratio", weighted.ratio},
          {"ratio_low", weighted.ratio_low},
          {"ratio_high", weighted.ratio_high}};
}

template <class Record>
Json to_json(const std::vector<Record>& records) {
  Json json = Json::array();
  for (const Record& record : records) json.push_back(to_json(record));
  return json;
}

Json interrupted_json(const std::optional<Interruption>& interrupted) {
  if (!interrupted) return nullptr;
  return {{"signal", interrupted->signal}, {"sender_pid", interrupted->sender_pid}};
}

Json run_json(const Report& report) {
  const RunRecord& run = report.run;
  Json kernels = Json::array();
  for (const KernelRecord& kernel : kernels_of(report)) kernels.push_back(to_json(kernel));
  Json json{{"id", run.id},
            {"started", run.started},
            {"finished", run.finished},
            {"command", run.command},
            {"version", run.version},
            {"git", {{"revision", run.git.revision}, {"dirty", run.git.dirty}}}};
  if (run.suite)
    json["suite"] = {{"name", run.suite->name}, {"cases", run.suite->cases}, {"sha256", run.suite->sha256}};
  if (run.options) json["options"] = *run.options;
  json["seed"] = run.seed;
  json["planned"] = run.planned;
  json["shard"] = {{"index", run.shard.index}, {"of", run.shard.of}};
  json["interrupted"] = interrupted_json(run.interrupted);
  json["hdf5"] = run.hdf5;
  json["host"] = {{"cpu", run.host.cpu}, {"cores", run.host.cores}, {"os", run.host.os}};
  json["device"] = to_json(run.device);
  json["kernels"] = std::move(kernels);
  return json;
}

}  // namespace

Json to_json(const TimingRecord& timing) {
  Json json{{"id", timing.id},
            {"candidate", timing.candidate},
            {"control", timing.control},
            {"unit", timing.unit},
            {"sampling", timing.sampling},
            {"candidate_median", to_json(timing.candidate_median)},
            {"control_median", to_json(timing.control_median)},
            {"ratio", to_json(timing.ratio)},
            {"ratio_low", to_json(timing.ratio_low)},
            {"ratio_high", to_json(timing.ratio_high)},
            {"aa_ratio", to_json(timing.aa_ratio)},
            {"samples", timing.samples},
            {"dropped", timing.dropped},
            {"bytes", timing.bytes},
            {"ceiling", to_json(timing.ceiling)},
            {"bandwidth_fraction", to_json(timing.bandwidth_fraction)},
            {"verdict", timing.verdict}};
  if (timing.control_route) json["control_route"] = *timing.control_route;
  return json;
}

Json to_json(const KernelRecord& kernel) {
  return {{"name", kernel.name},           {"target", kernel.target},           {"sha256", kernel.sha256},
          {"registers", kernel.registers}, {"spill_bytes", kernel.spill_bytes}, {"toolkit", kernel.toolkit},
          {"options", kernel.options}};
}

Json to_json(const CaseRecord& record) {
  Json checks = Json::array();
  for (const Check& check : record.checks) checks.push_back(to_json(check));
  const SliceRecord& slice = record.slice;
  const Shape& shape = record.shape;
  Json json{{"id", record.id}};
  if (record.index) json["index"] = *record.index;
  json.update(
      Json{{"operator", record.operation},
           {"target", record.target},
           {"model", record.model},
           {"slice",
            {{"name", slice.name},
             {"source", slice.source},
             {"rank", slice.rank},
             {"tp", slice.tp},
             {"sha256", slice.sha256}}},
           {"shape", {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}, {"padded_n", shape.padded_n}}},
           {"layout", record.layout},
           {"plan", record.plan},
           {"split_k", record.split_k},
           {"chains", record.chains},
           {"route", record.route},
           {"workspace_bytes", record.workspace_bytes},
           {"status", to_string(record.status)},
           {"reason", record.notes.empty() ? record.reason : record.reason + "; " + record.notes},
           {"repro", record.repro},
           {"checks", checks},
           {"coverage",
            {{"codes_seen", record.coverage.codes_seen},
             {"scale_bytes_seen", record.coverage.scale_bytes_seen},
             {"subnormal_weights", record.coverage.subnormal_weights}}},
           {"cost", to_json(record.cost)},
           {"screening", record.screening ? to_json(*record.screening) : Json()},
           {"seconds", {{"device", record.seconds.device}, {"reference", record.seconds.reference}}}});
  return json;
}

Json to_json(const Report& report) {
  const Summary summary = summarize(report.cases);
  Json cases = Json::array();
  for (const CaseRecord& record : report.cases) cases.push_back(to_json(record));
  return {{"schema", "quadpair.report/1"},
          {"run", run_json(report)},
          {"summary",
           {{"passed", summary.passed},
            {"failed", summary.failed},
            {"skipped", summary.skipped},
            {"refused", summary.refused},
            {"mistrusted", summary.mistrusted}}},
          {"cases", cases},
          {"timings", to_json(report.timings)},
          {"weighted", to_json(report.weighted)},
          {"ledger", report.ledger ? to_json(*report.ledger) : Json::object()}};
}

}  // namespace quadpair::reports
