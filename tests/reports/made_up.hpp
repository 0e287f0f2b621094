// Reports made up to be compared, each with a change of its own.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reports/compare/compare.hpp"
#include "reports/compare/comparison_json.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::reports::testing {

inline const std::string kernel = "qpn2/gemm:entry", stream = "bench/stream:stream";

inline KernelRecord code(const std::string& name, char digit) {
  return {name, "sm90", std::string(64, digit), 64, 0, "NVRTC", "--fmad=false"};
}

inline Check output(const std::string& name, char digit, Kind kind = Kind::bitwise) {
  Check check;
  check.name = name;
  check.kind = kind;
  check.elements = 4;
  check.expected_hash = check.actual_hash = std::string(32, digit);
  return check;
}

inline std::string id_of(int n) {
  return "qpn2_gemm/slice" + std::to_string(n) + "/m8/dual/s8.c2/sm90/hopper/real";
}

inline CaseRecord passed(int n) {
  CaseRecord c;
  c.id = id_of(n);
  c.operation = "qpn2_gemm";
  c.target = "sm90";
  c.model = "hopper";
  c.slice.sha256 = std::string(64, 'b');
  c.layout = "dual";
  c.route = "convert/pack:pack@sm90 + " + kernel + "@sm90";
  c.status = Status::passed;
  c.checks = {output("eager", '1'), output("eager within FP64 bound", '1', Kind::bound),
              output("replay 1", '2')};
  c.cost = CostRecord{{{"fp16", 10}, {"load", 4}}, {{"m16n8k16", 8}}, 100, 90, 0, 2};
  c.workspace_bytes = 64;
  c.kernels = {code("convert/pack:pack", 'c'), code(kernel, 'a'), code(stream, '5')};
  return c;
}

inline TimingRecord timed(int n, double ratio) {
  TimingRecord t;
  t.id = id_of(n);
  t.candidate = kernel + "@sm90";
  t.control = "stream";
  t.control_route = stream + "@sm90";
  t.unit = "seconds";
  t.sampling = "cold";
  t.ratio = ratio;
  return t;
}

inline Report made_up() {
  Report report;
  report.run.id = "1";
  report.run.finished = "2025-01-31T12:00:00Z";
  report.run.suite = SuiteRecord{"made-up", 2, std::string(64, '1')};
  report.run.seed = 1;
  report.run.device = {"cuda", "a GPU", {{"hopper", "capability"}}, "13.0", "12.8"};
  report.cases = {passed(0), passed(1)};
  return report;
}

/// Slower when the ratio grew.
inline TimeChange by_ratio(const TimingRecord& base, const TimingRecord& now) {
  TimeChange change{.control = now.control};
  change.ratio = change.low = change.high = *now.ratio / *base.ratio;
  change.evidence = "intervals";
  change.speed = *now.ratio > *base.ratio   ? Speed::slower
                 : *now.ratio < *base.ratio ? Speed::faster
                                            : Speed::same;
  return change;
}

inline Comparison compared(const Report& base, const Report& now, bool across = false) {
  Comparison comparison = compare(base, now, across, by_ratio);
  const nlohmann::json json = to_json(comparison, "base.json", "new.json", 0);
  EXPECT_EQ(violations(json, "comparison.schema.json"), "");
  return comparison;
}

}  // namespace quadpair::reports::testing
