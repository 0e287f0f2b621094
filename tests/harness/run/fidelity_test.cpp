// The emulator against silicon: hashes of every output of a suite, as an H200 gave them.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/run/suite_runner.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using Hashes = std::map<std::string, std::string>;  ///< by check

/// Whether a check is of what kernels wrote; others are of how the run was made.
bool is_of_output(const std::string& name) {
  return name != "guards" && name != "inputs unchanged" && name != "bytes between outputs" &&
         name != "route" && name != "nothing launched" && name != "ledger";
}

/// The hashes that the GPU's own outputs had, by case id; cases that it did not run or refused are left out.
std::map<std::string, Hashes> recorded(const std::string& name) {
  std::ifstream file(std::string(QUADPAIR_TEST_DATA) + "/../reports/baselines/h200/" + name + ".json");
  const nlohmann::json report = nlohmann::json::parse(file);
  std::map<std::string, Hashes> hashes;
  for (const auto& record : report.at("cases"))
    for (const auto& check : record.at("checks"))
      if (record.at("status") == "passed" && check.at("kind") == "bitwise" && is_of_output(check.at("name")))
        hashes[record.at("id")][check.at("name")] = check.at("actual_hash");
  return hashes;
}

struct Record {
  std::string name, suite;
  std::size_t cases;  ///< at least
};

class Fidelity : public testing::TestWithParam<Record> {};

TEST_P(Fidelity, EveryOutputHasTheBitsOfAnH200) {
  const auto& [name, suite, count] = GetParam();
  const auto expected = recorded(name);
  ASSERT_GE(expected.size(), count);
  std::vector<cases::Case> cases = cases::load_suite(suite).cases;
  std::erase_if(cases, [&](const cases::Case& c) { return !expected.contains(c.id); });
  ASSERT_EQ(cases.size(), expected.size()) << "the suite lacks cases of the record";

  Options options = emulator_options();
  options.make_device = [](reference::Model model, unsigned threads) {
    return device::make_emulator({.model = model, .threads = threads});
  };
  run_cases(cases, options, [&](std::size_t, const reports::CaseRecord& record) {
    for (const auto& [check_name, hash] : expected.at(record.id))
      EXPECT_EQ(check(record, check_name).actual_hash, hash) << record.id << ", " << check_name;
  });
}

INSTANTIATE_TEST_SUITE_P(H200, Fidelity,
                         testing::Values(Record{"default", "default", 298},
                                         Record{"0d0bf16/edges-hashes", "edges", 1400},
                                         Record{"production", "production", 56}),
                         [](const auto& record) { return record.param.suite; });

}  // namespace
}  // namespace quadpair::run
