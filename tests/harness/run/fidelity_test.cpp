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

/// The hashes that the GPU's own outputs had, by case id; cases that it did not run or refused are left out.
std::map<std::string, Hashes> recorded(const std::string& suite) {
  std::ifstream file(std::string(QUADPAIR_TEST_DATA) + "/../reports/baselines/h200/7d2a578/" + suite +
                     "-hashes.json");
  return nlohmann::json::parse(file).at("outputs");
}

struct Record {
  std::string suite;
  std::size_t cases;  ///< at least
};

class Fidelity : public testing::TestWithParam<Record> {};

TEST_P(Fidelity, EveryOutputHasTheBitsOfAnH200) {
  const auto& [suite, count] = GetParam();
  const auto expected = recorded(suite);
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
                         testing::Values(Record{"default", 298}, Record{"edges", 2109},
                                         Record{"production", 56}),
                         [](const auto& record) { return record.param.suite; });

}  // namespace
}  // namespace quadpair::run
