#include "reports/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/json.hpp"

namespace quadpair::reports {
namespace {

using testing::AllOf;
using testing::HasSubstr;

CaseRecord case_at(std::uint64_t index) {
  CaseRecord record;
  record.id = "case " + std::to_string(index);
  record.index = index;
  record.status = index == 4 ? Status::failed : Status::passed;
  record.kernels = {
      {"kernel " + std::to_string(index % 2), "sm70", std::string(64, 'a'), 8, 0, "NVRTC", "--fmad=false"}};
  return record;
}

Report report_of(Shard shard, const std::vector<std::uint64_t>& places) {
  Report report;
  report.run.id = "run " + std::to_string(shard.index);
  report.run.started = "2026-01-01T00:00:0" + std::to_string(shard.index) + "Z";
  report.run.finished = "2026-01-01T00:01:0" + std::to_string(shard.index) + "Z";
  report.run.suite = {"edges", 5, std::string(64, 'e')};
  report.run.options.emplace()["repeats"] = "1";
  report.run.seed = 7;
  report.run.shard = shard;
  report.run.planned = places.size();
  report.run.host = {"a CPU", 2, "an OS"};
  report.run.device = {"emulator", "PTX emulator", {{"volta", "case"}}, "", ""};
  for (const std::uint64_t place : places) report.cases.push_back(case_at(place));
  return report;
}

std::vector<NamedReport> shards() {
  return {{"b.json", report_of({2, 2}, {1, 2})}, {"a.json", report_of({1, 2}, {0, 3, 4})}};
}

std::string complaint(const std::vector<NamedReport>& shards) {
  try {
    merge(shards);
  } catch (const MergeError& e) {
    return e.what();
  }
  return "none";
}

TEST(Merge, ShardsInAnyOrderGiveTheWhole) {
  Report whole = report_of({1, 1}, {0, 1, 2, 3, 4});
  whole.run.id.clear();
  whole.run.started = "2026-01-01T00:00:01Z";
  whole.run.finished = "2026-01-01T00:01:02Z";
  EXPECT_EQ(to_json(merge(shards())), to_json(whole));
}

TEST(Merge, HostsThatDifferAreListed) {
  auto parts = shards();
  parts[1].report.run.host = {"another CPU", 8, "an OS"};
  const Host host = merge(parts).run.host;
  EXPECT_EQ(host.cpu, "a CPU + another CPU");
  EXPECT_EQ(host.cores, 8u);
  EXPECT_EQ(host.os, "an OS");
}

TEST(Merge, RefusesByNameWhatIsNoWhole) {
  const auto with = [](const auto& change) {
    auto parts = shards();
    change(parts);
    return complaint(parts);
  };
  EXPECT_EQ(with([](auto&) {}), "none");
  EXPECT_EQ(with([](auto& p) { p.pop_back(); }), "missing: shard 1/2");
  EXPECT_EQ(with([](auto& p) {
              p.push_back({"c.json", p[0].report});
            }),
            "c.json: shard 2/2 again, after b.json");
  EXPECT_EQ(with([](auto& p) { p[1].report.cases[0].index = 1; }),
            "a.json: case 0 has the place of another case");
  EXPECT_EQ(with([](auto& p) { p[1].report.run.shard = {2, 2}; }), "a.json: shard 2/2 again, after b.json");
  EXPECT_EQ(with([](auto& p) { p[1].report.run.shard.of = 3; }),
            "a.json: shard 1/3 where b.json has one of 2");
  EXPECT_THAT(with([](auto& p) {
                p[1].report.run.interrupted = Interruption{"SIGTERM", 1};
                p[1].report.cases.pop_back();
              }),
              AllOf(HasSubstr("a.json: shard 1/2 is not finished: 2 of 3 cases, interrupted by SIGTERM"),
                    HasSubstr("--resume")));
  EXPECT_THAT(with([](auto& p) { p[1].report.run.finished.clear(); }),
              HasSubstr("a.json: shard 1/2 is not finished"));
  EXPECT_THAT(with([](auto& p) { p[1].report.cases[0].index.reset(); }),
              HasSubstr("a.json: case 0 has no place"));
  EXPECT_THAT(with([](auto& p) { p[1].report.timings.emplace_back(); }), HasSubstr("a.json: timings"));
  EXPECT_EQ(with([](auto& p) {
              for (auto& part : p) part.report.run.suite->cases = 6;
            }),
            "5 cases of 6");
}

TEST(Merge, RefusesByNameWhatIsOfAnotherRun) {
  const auto with = [](const auto& change) {
    auto parts = shards();
    change(parts[1].report.run);
    return complaint(parts);
  };
  const std::string other = "a.json: not of one run with b.json: ";
  EXPECT_THAT(
      with([](RunRecord& r) { r.suite->name = "default"; }),
      other + "suite: default of 5 cases (sha256 eeeeeeeeeeee), not edges of 5 cases (sha256 eeeeeeeeeeee)");
  EXPECT_THAT(with([](RunRecord& r) { r.suite->sha256 = std::string(64, 'f'); }),
              HasSubstr(other + "suite: edges"));
  EXPECT_THAT(with([](RunRecord& r) { r.suite.reset(); }), HasSubstr(other + "suite: not known"));
  EXPECT_EQ(with([](RunRecord& r) { r.seed = 8; }), other + "seed: 8, not 7");
  EXPECT_THAT(with([](RunRecord& r) { r.git.revision = "abc"; }), HasSubstr(other + "build: "));
  EXPECT_THAT(with([](RunRecord& r) { r.git.dirty = true; }), HasSubstr(other + "build: "));
  EXPECT_THAT(with([](RunRecord& r) { r.version = "9"; }), HasSubstr(other + "build: 9"));
  EXPECT_THAT(with([](RunRecord& r) { r.device.name = "a GPU"; }),
              HasSubstr(other + "device: emulator a GPU, not "));
  EXPECT_THAT(with([](RunRecord& r) { r.device.driver = "570"; }), HasSubstr(other + "device: "));
  EXPECT_EQ(with([](RunRecord& r) {
              r.device.arithmetic = {{"ampere", "option"}};
            }),
            other + "model: ampere by option, not volta by case");
  EXPECT_EQ(with([](RunRecord& r) { r.options->at("repeats") = "2"; }),
            other + "options: repeats 2, not repeats 1");
  EXPECT_EQ(with([](RunRecord& r) { r.options->emplace("more", "x"); }), other + "options: more x, not none");
  EXPECT_THAT(with([](RunRecord& r) { r.options.reset(); }), HasSubstr(other + "options: not known"));
}

TEST(Merge, RefusesKernelsOfOtherCode) {
  auto parts = shards();
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i].report.run.kernels = {
        {"qpn2/gemm:entry", "sm70", std::string(64, "ab"[i]), 8, 0, "NVRTC", "--fmad=false"}};
  EXPECT_EQ(complaint(parts),
            "a.json: not of one run with b.json: kernel qpn2/gemm:entry@sm70: sha256 bbbbbbbbbbbb, not "
            "aaaaaaaaaaaa");
}

}  // namespace
}  // namespace quadpair::reports
