#include "tests/reports/example.hpp"

#include <limits>
#include <string>
#include <vector>

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
  c.status = compare::Status::failed;
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
  c.seconds = {0.5, 0.25};
  c.kernels = {{"qpn2/gemm:entry", "sm70", std::string(64, '0'), 64, 0, "NVRTC 12.8.93"}};
  return c;
}

CaseRecord refused_case() {
  CaseRecord c;
  c.id = "qpn2_gemm/none/m1/dual/s8.c2/sm70/volta/real";
  c.status = compare::Status::refused;
  c.reason = "slice none is not known";
  return c;
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
  report.cases = {failed_case(), refused_case(), failed_case()};
  report.cases[2].status = compare::Status::mistrusted;
  return report;
}

}  // namespace quadpair::reports
