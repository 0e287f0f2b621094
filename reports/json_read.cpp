#include "reports/json_read.hpp"

#include <algorithm>

#include "reports/json_node.hpp"

namespace quadpair::reports {
namespace {

Counts counts(const Node& node) {
  Counts counts;
  node.each_member(
      [&](const std::string& name, const Node& n) { counts.emplace_back(name, n.count<std::uint64_t>()); });
  return counts;
}

std::string pattern(const Node& node) {
  try {
    value_of_pattern(node.text());
  } catch (const std::invalid_argument& e) {
    node.wrong(e.what());
  }
  return node.text();
}

Mismatch mismatch(const Node& node) {
  return reports::mismatch(node["index"].count<std::uint64_t>(), pattern(node["expected"]),
                           pattern(node["actual"]),
                           node.has("bound") ? node["bound"].optional_number() : std::nullopt);
}

Check check(const Node& node) {
  Check check;
  check.name = node["name"].text();
  const std::string kind = node["kind"].text();
  if (kind != "bitwise" && kind != "bound") node["kind"].wrong("neither bitwise nor bound");
  check.kind = kind == "bitwise" ? Kind::bitwise : Kind::bound;
  check.elements = node["elements"].count<std::uint64_t>();
  check.mismatches = node["mismatches"].count<std::uint64_t>();
  if (!node["first"].is_null()) check.first = mismatch(node["first"]);
  check.expected_hash = node["expected_hash"].text();
  check.actual_hash = node["actual_hash"].text();
  if (node.has("columns")) check.columns = node["columns"].count<std::uint64_t>();
  return check;
}

Status status(const Node& node) {
  const std::string name = node.text();
  for (const Status status : all_statuses)
    if (to_string(status) == name) return status;
  node.wrong(fmt::format("\"{}\" is no status", name));
}

std::optional<CostRecord> cost(const Node& node) {
  if (!node.has("warp_instructions")) return std::nullopt;
  CostRecord cost;
  cost.warp_instructions = counts(node["warp_instructions"]);
  cost.mma = counts(node["mma"]);
  const auto read = [&](const char* name, std::optional<std::uint64_t>& n) {
    if (node.has(name)) n = node[name].count<std::uint64_t>();
  };
  read("global_sectors", cost.global_sectors);
  read("fewest_sectors", cost.fewest_sectors);
  read("shared_conflicts", cost.shared_conflicts);
  read("divergent_branches", cost.divergent_branches);
  return cost;
}

std::optional<ScreeningRecord> screening(const Node& node) {
  if (!node.has("screening") || node["screening"].is_null()) return std::nullopt;
  const Node found = node["screening"];
  return ScreeningRecord{found["rows"].count<std::uint64_t>(), found["top1_differs"].count<std::uint64_t>(),
                         found["top_differs"].count<std::uint64_t>(),
                         found["top1_certain"].count<std::uint64_t>(),
                         found["top_certain"].count<std::uint64_t>()};
}

KernelRecord kernel(const Node& node) {
  return {node["name"].text(),
          node["target"].text(),
          node["sha256"].text(),
          node["registers"].count<std::uint32_t>(),
          node["spill_bytes"].count<std::uint32_t>(),
          node["toolkit"].text(),
          node.has("options") ? node["options"].text() : ""};
}

CaseRecord case_record(const Node& node) {
  CaseRecord record;
  record.id = node["id"].text();
  if (node.has("index")) record.index = node["index"].count<std::uint64_t>();
  record.operation = node["operator"].text();
  record.target = node["target"].text();
  record.model = node["model"].text();
  const Node slice = node["slice"], shape = node["shape"], coverage = node["coverage"];
  record.slice = {slice["name"].text(), slice["source"].text(), slice["rank"].count<std::uint32_t>(),
                  slice["tp"].count<std::uint32_t>(), slice["sha256"].text()};
  record.shape = {shape["m"].count<std::uint32_t>(), shape["n"].count<std::uint32_t>(),
                  shape["k"].count<std::uint32_t>(), shape["padded_n"].count<std::uint32_t>()};
  record.layout = node["layout"].text();
  record.plan = node["plan"].text();
  record.split_k = node["split_k"].count<std::uint32_t>();
  record.chains = node["chains"].count<std::uint32_t>();
  record.route = node["route"].text();
  if (node.has("workspace_bytes")) record.workspace_bytes = node["workspace_bytes"].count<std::uint64_t>();
  record.status = status(node["status"]);
  record.reason = node["reason"].text();
  record.repro = node["repro"].text();
  record.checks = node["checks"].each(check);
  record.coverage.codes_seen = coverage["codes_seen"].count<std::uint32_t>();
  record.coverage.scale_bytes_seen = coverage["scale_bytes_seen"].count<std::uint32_t>();
  record.coverage.subnormal_weights = coverage["subnormal_weights"].count<std::uint64_t>();
  record.cost = cost(node["cost"]);
  record.screening = screening(node);
  record.seconds = {node["seconds"]["device"].number(), node["seconds"]["reference"].number()};
  return record;
}

SuiteRecord suite(const Node& node) {
  return {node["name"].text(), node["cases"].count<std::uint64_t>(), node["sha256"].text()};
}

std::map<std::string, std::string> options(const Node& node) {
  std::map<std::string, std::string> options;
  node.each_member([&](const std::string& name, const Node& value) { options[name] = value.text(); });
  return options;
}

RunRecord run_record(const Node& node) {
  RunRecord run;
  run.id = node["id"].text();
  run.started = node["started"].text();
  run.finished = node["finished"].text();
  run.command = node["command"].text();
  if (node.has("hdf5")) run.hdf5 = node["hdf5"].text();
  run.version = node["version"].text();
  run.git = {node["git"]["revision"].text(), node["git"]["dirty"].flag()};
  run.seed = node["seed"].count<std::uint64_t>();
  run.planned = node["planned"].count<std::uint64_t>();
  run.shard = {node["shard"]["index"].count<std::uint32_t>(), node["shard"]["of"].count<std::uint32_t>()};
  if (node.has("suite")) run.suite = suite(node["suite"]);
  if (node.has("options")) run.options = options(node["options"]);
  run.kernels = node["kernels"].each(kernel);
  const Node interrupted = node["interrupted"], host = node["host"], device = node["device"];
  if (!interrupted.is_null())
    run.interrupted = Interruption{interrupted["signal"].text(), interrupted["sender_pid"].integer()};
  run.host = {host["cpu"].text(), host["cores"].count<std::uint32_t>(), host["os"].text()};
  run.device.kind = device["kind"].text();
  run.device.name = device["name"].text();
  run.device.arithmetic = device["arithmetic"].each([](const Node& a) {
    return Arithmetic{a["model"].text(), a["chosen_by"].text()};
  });
  run.device.driver = device["driver"].text();
  run.device.runtime = device["runtime"].text();
  device["clocks_mhz"].each_member(
      [&](const std::string& name, const Node& mhz) { run.device.clocks_mhz[name] = mhz.number(); });
  return run;
}

TimingRecord timing(const Node& node) {
  TimingRecord t;
  t.id = node["id"].text();
  t.candidate = node["candidate"].text();
  t.control = node["control"].text();
  if (node.has("control_route")) t.control_route = node["control_route"].text();
  t.unit = node["unit"].text();
  t.sampling = node["sampling"].text();
  t.candidate_median = node["candidate_median"].optional_number();
  t.control_median = node["control_median"].optional_number();
  t.ratio = node["ratio"].optional_number();
  t.ratio_low = node["ratio_low"].optional_number();
  t.ratio_high = node["ratio_high"].optional_number();
  t.aa_ratio = node["aa_ratio"].optional_number();
  t.samples = node["samples"].count<std::uint64_t>();
  t.dropped = node["dropped"].count<std::uint64_t>();
  t.bytes = node["bytes"].count<std::uint64_t>();
  t.ceiling = node["ceiling"].optional_number();
  t.bandwidth_fraction = node["bandwidth_fraction"].optional_number();
  t.verdict = node["verdict"].text();
  return t;
}

WeightedRecord weighted(const Node& node) {
  return {node["m"].count<std::uint32_t>(), node["name"].text(), node["ratio"].number(),
          node["ratio_low"].number(), node["ratio_high"].number()};
}

}  // namespace

KernelRecord kernel_from_json(const Json& json) {
  KernelRecord record = kernel(Node(json));
  require_kept(json, to_json(record));
  return record;
}

CaseRecord case_from_json(const Json& json) {
  CaseRecord record = case_record(Node(json));
  require_kept(json, to_json(record));
  return record;
}

TimingRecord timing_from_json(const Json& json) {
  TimingRecord record = timing(Node(json));
  require_kept(json, to_json(record));
  return record;
}

Report report_from_json(const Json& json) {
  const Node root(json);
  if (root["schema"].text() != "quadpair.report/1") root["schema"].wrong("no quadpair.report/1");
  Report report{run_record(root["run"])};
  report.cases = root["cases"].each(case_record);
  report.timings = root["timings"].each(timing);
  report.weighted = root["weighted"].each(weighted);
  if (!root["ledger"].is_empty()) report.ledger = read_ledger(root["ledger"]);
  for (CaseRecord& record : report.cases)
    std::ranges::copy_if(report.run.kernels, std::back_inserter(record.kernels),
                         [&](const KernelRecord& listed) { return route_names(record.route, listed); });
  require_kept(json, to_json(report));
  return report;
}

}  // namespace quadpair::reports
