#include "tests/reports/example.hpp"

#include <limits>
#include <string>
#include <vector>

#include "harness/compare/check.hpp"

namespace quadpair::reports {
namespace {

CaseRecord failed_case() {
  CaseRecord c;
  c.id = "qpn2_gemm/minilm.0.o/m2/dual/s8.c2/sm70/volta/real";
  c.operation = "qpn2_gemm";
  c.target = "sm70";
  c.model = "volta";
  c.slice = {"minilm.0.o", "real-slices.safetensors", 0, 1, std::string(64, 'a')};
  c.shape = {2, 2, 64, 32};
  c.layout = "dual";
  c.plan = "m8n8k4 unit 16: c0[0-3]; slices 0 4";
  c.split_k = 8;
  c.chains = 2;
  c.route = "qpn2/gemm:entry@sm70";
  c.status = reports::Status::failed;
  c.reason = "eager: 1 of 4 differ";
  c.notes = "y of 8 bytes written at offset 8; ";
  c.repro = "quadpair verify --filter '^a<b>&\"c\"$'";
  const std::vector<std::uint16_t> expected{0x3C00, 0x7FFF, 0, 0x7C00},
      actual{0x3C00, 0x7FFF, 0x8000, 0x7C00};
  c.checks.push_back(compare::bitwise("eager", expected, actual));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  c.checks.push_back(
      compare::within_bound("oracle", std::vector{1.0, nan, 0.0, 2.0}, std::vector<double>(4, 0.5), actual));
  c.coverage = {16, 40, 3};
  CostRecord cost;
  cost.warp_instructions = {{"fp16", 12}, {"load", 3}};
  cost.mma = {{"m8n8k4", 64}};
  cost.divergent_branches = 0;
  c.cost = cost;
  c.screening = ScreeningRecord{24, 1, 2, 20, 3};
  c.seconds = {0.5, 0.25};
  c.kernels = {{"qpn2/gemm:entry", "sm70", std::string(64, '0'), 64, 0, "NVRTC 12.8.93", "--fmad=false"}};
  return c;
}

CaseRecord refused_case() {
  CaseRecord c;
  c.id = "qpn2_gemm/none/m1/dual/s8.c2/sm70/volta/real";
  c.status = reports::Status::refused;
  c.reason = "slice none is not known";
  return c;
}

TimingRecord timed() {
  TimingRecord t;
  t.id = "qpn2_gemm/minilm.0.o/m2/dual/s8.c2/sm90/hopper/real";
  t.candidate = "qpn2/gemm:entry@sm90";
  t.control = "stream";
  t.control_route = "bench/stream:stream@sm90";
  t.unit = "seconds";
  t.sampling = "cold: 18 nodes a graph over 6 tensors, 10 replays a sample";
  t.candidate_median = 3e-6;
  t.control_median = 2e-6;
  t.ratio = 1.5;
  t.ratio_low = 1.25;
  t.ratio_high = 1.75;
  t.aa_ratio = 1;
  t.samples = 32;
  t.dropped = 4;
  t.bytes = 1000;
  t.ceiling = 1e12;
  t.bandwidth_fraction = 0.5;
  t.verdict = "slower";
  return t;
}

/// Each round was throttled.
TimingRecord not_timed() {
  TimingRecord t;
  t.id = "qpn2_gemm/none/m1/dual/s8.c2/sm90/hopper/real";
  t.candidate = "a";
  t.control = "b";
  t.unit = "seconds";
  t.dropped = 256;
  t.verdict = "ambiguous";
  return t;
}

}  // namespace

Report example_report() {
  Report report;
  report.run.id = "00ff";
  report.run.started = "2025-01-31T12:00:00Z";
  report.run.finished = "2025-01-31T12:00:09Z";
  report.run.command = "quadpair verify";
  report.run.version = "0.1.0";
  report.run.git = {"unknown", true};
  report.run.seed = 1;
  report.run.planned = 3;
  report.run.interrupted = Interruption{"SIGTERM", 42};
  report.run.host = {"a CPU", 2, "an OS"};
  report.run.device = {"emulator", "emulator", {{"volta", "case"}}, "", ""};
  report.run.device.clocks_mhz = {{"sm_median", 1980}};
  report.timings = {timed(), not_timed()};
  report.weighted = {{8, "projections/sm90/hopper/stream", 1.5, 1.25, 1.75}};
  report.ledger = Ledger{1,
                         {{"dual", {{0, {{"qpn2_codes", 64}, {"lm_head_fp16", 8}, {"lm_head_fp16", 8}}}}},
                          {"compact", {{0, {{"turbomind_codes", 32}, {"lm_head_fp16", 8}}}}}}};
  report.cases = {failed_case(), refused_case(), failed_case()};
  report.cases[2].status = reports::Status::mistrusted;
  return report;
}

Report full_report() {
  Report report = example_report();
  CaseRecord& c = report.cases[0];
  c.notes.clear();
  c.slice.rank = 3;
  c.slice.tp = 4;
  c.checks[0].columns = 2;
  c.cost->global_sectors = 7;
  c.cost->fewest_sectors = 6;
  c.cost->shared_conflicts = 5;
  c.cost->divergent_branches = std::uint64_t{1} << 60;
  report.run.seed = ~std::uint64_t{0};
  report.run.suite = {"edges", 7, std::string(64, 'e')};
  report.run.options.emplace()["repeats"] = "3";
  report.run.shard = {2, 3};
  c.index = 6;
  report.run.device = {"cuda", "a GPU", {{"hopper", "capability"}}, "13.0", "12.8", {{"sm_median", 1980.5}}};
  return report;
}

}  // namespace quadpair::reports
