// The emulator's counts against those of a GPU's profiler, over whole kernels.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/run/suite_runner.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using nlohmann::json;

/// The emulator's counts by the names that the record has for them.
std::map<std::string, std::uint64_t> counts(const reports::CaseRecord& record) {
  const reports::CostRecord& cost = record.cost.value();
  const std::map<std::string, std::uint64_t> kinds(cost.warp_instructions.begin(),
                                                   cost.warp_instructions.end());
  const auto kind = [&](const char* name) { return kinds.contains(name) ? kinds.at(name) : 0; };
  std::uint64_t mma = 0, wgmma = 0;
  for (const auto& [shape, count] : cost.mma) (shape.starts_with("m64") ? wgmma : mma) += count;
  std::map<std::string, std::uint64_t> found = {{"global_sectors", cost.global_sectors.value()},
                                                {"shared_conflicts", cost.shared_conflicts.value()}};
  for (const char* name : {"load.shared", "store.shared", "copy.async"}) found[name] = kind(name);
  if (record.target == "sm70") return found;  // whose mma the driver made ordinary instructions of
  found["mma"] = mma;
  found["wgmma"] = 4 * wgmma;  // each of the four warps issues it
  return found;
}

/// Sectors of copies of 16 bytes are counted by another rule (docs/emulator.md).
bool is_not_comparable(const std::string& count, const json& profiled) {
  return profiled.at("copy.async") > 0 && count == "global_sectors";
}

TEST(Profiler, CountsWhatTheEmulatorCounts) {
  std::ifstream file(std::string(QUADPAIR_TEST_DATA) + "/../reports/baselines/h200/profiler.json");
  const std::map<std::string, json> profiled = json::parse(file).at("cases");
  std::map<std::string, std::vector<cases::Case>> selected;
  for (const auto& [id, counted] : profiled) {
    const std::string suite = counted.at("suite");
    if (!selected.contains(suite)) selected[suite] = cases::load_suite(suite).cases;
  }
  Options options = emulator_options();
  options.outputs_only = true;
  options.make_device = [](reference::Model model, unsigned threads) {
    return device::make_emulator({.model = model, .threads = threads});
  };
  std::set<std::string> others;
  std::size_t compared = 0;
  for (auto& [suite, all] : selected) {
    std::erase_if(all, [&](const cases::Case& c) { return !profiled.contains(c.id); });
    run_cases(all, options, [&](std::size_t, const reports::CaseRecord& record) {
      const json& there = profiled.at(record.id);
      ASSERT_TRUE(record.cost) << record.id << ": " << record.reason;
      ++compared;
      for (const auto& [name, count] : counts(record))
        if (!is_not_comparable(name, there) && there.at(name) != count)
          others.insert(fmt::format("{} {}: {}, here {}", record.id, name, there.at(name).dump(), count));
    });
  }
  EXPECT_EQ(compared, profiled.size());
  EXPECT_GE(compared, 49u);
  // Here the assembler has made one load of two, or of several that read the same.
  // A kernel that was changed since must be profiled again, or its cases be dropped.
  EXPECT_THAT(
      others,
      testing::ElementsAre(
          "lm_head/whisper.head/m8/sm70/fma-lowered/hidden/k20 load.shared: 23272, here 29416",
          "lm_head/whisper.head/m8/sm70/fma-lowered/hidden/k20 shared_conflicts: 19434, here 19244",
          "lm_head/whisper.head/m8/sm90/hopper/hidden/k20 load.shared: 23272, here 29416",
          "lm_head/whisper.head/m8/sm90/hopper/hidden/k20 shared_conflicts: 19434, here 19244",
          "qpn2_gemm/edge.fused_parts/m34/compact/s16.c2/sm90/hopper/heavy global_sectors: 14658, here 14696",
          "qpn2_gemm/edge.fused_parts/m34/dual/s16.c2/sm90/hopper/heavy global_sectors: 15412, here 15438",
          "qpn8_gemm/fp8.block/m33/s16.c2/sm90/hopper/normal global_sectors: 30144, here 30720"));
}

}  // namespace
}  // namespace quadpair::run
