// The counts of every case against those committed: a kernel that grew costlier, or cheaper, shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/run/suite_runner.hpp"
#include "reports/json.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using nlohmann::json;

/// The counts that were committed, by case id.
std::map<std::string, json> committed(const std::string& suite) {
  std::ifstream file(fmt::format("{}/../reports/baselines/counts/{}.json", QUADPAIR_TEST_DATA, suite));
  std::map<std::string, json> costs;
  const json counts = json::parse(file);
  for (const json& entry : counts.at("costs"))
    for (const json& id : entry.at("cases")) costs[id] = entry.at("cost");
  return costs;
}

/// Counts by "/warp_instructions/move" and the like.
std::map<std::string, std::uint64_t> by_kind(const json& cost) {
  std::map<std::string, std::uint64_t> counts;
  const json flat = cost.flatten();
  for (const auto& [kind, count] : flat.items())
    if (count.is_number()) counts[kind] = count.get<std::uint64_t>();  // null for a group without counts
  return counts;
}

/// What changed, a line for each kind of count.
std::string changes(const json& before, const json& now) {
  std::string text;
  std::map<std::string, std::uint64_t> old = by_kind(before), found = by_kind(now), all = old;
  all.insert(found.begin(), found.end());
  for (const auto& [kind, count] : all) {
    const std::uint64_t was = old[kind], is = found[kind];
    if (was != is) text += fmt::format("{} {} from {} to {}\n", kind, is > was ? "grew" : "fell", was, is);
  }
  return text;
}

class CountsBaseline : public testing::TestWithParam<const char*> {};

TEST_P(CountsBaseline, EveryCaseCostsWhatItDid) {
  const std::map<std::string, json> expected = committed(GetParam());
  const cases::Suite suite = cases::load_suite(GetParam());
  Options options = emulator_options();
  options.outputs_only = true;
  options.make_device = [&](reference::Model model, unsigned threads) {
    return device::make_emulator({.model = model, .threads = threads, .sanitize = suite.sanitize});
  };
  std::size_t counted = 0;
  run_cases(suite.cases, options, [&](std::size_t, const reports::CaseRecord& record) {
    EXPECT_EQ(record.reason.find("device fault"), std::string::npos) << record.id << ": " << record.reason;
    if (!record.cost) return;
    ++counted;
    const auto known = expected.find(record.id);
    ASSERT_NE(known, expected.end()) << record.id << " has no committed counts";
    EXPECT_EQ(changes(known->second, reports::to_json(record).at("cost")), "") << record.id;
  });
  EXPECT_EQ(counted, expected.size());
}

INSTANTIATE_TEST_SUITE_P(Suites, CountsBaseline, testing::Values("default", "edges"),
                         [](const auto& suite) { return std::string(suite.param); });

TEST(CountsBaselineText, NamesTheKindsThatChanged) {
  const json before = {{"warp_instructions", {{"integer", 5}, {"move", 2}}}, {"global_sectors", 8}};
  const json now = {{"warp_instructions", {{"integer", 7}, {"fp16", 1}}}, {"global_sectors", 8}};
  EXPECT_EQ(changes(before, now),
            "/warp_instructions/fp16 grew from 0 to 1\n/warp_instructions/integer grew from 5 to 7\n"
            "/warp_instructions/move fell from 2 to 0\n");
}

}  // namespace
}  // namespace quadpair::run
