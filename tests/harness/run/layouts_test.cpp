// All cases of `edges` on the emulator; every layout of the same weights gives the same bits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "harness/run/suite_runner.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

/// The case's id without its layout.
std::string without_layout(const cases::Case& c) {
  const std::string part = fmt::format("/{}/", c.layout);
  const std::size_t at = c.id.find(part);
  if (c.layout.empty() || at == std::string::npos) return c.id;
  return c.id.substr(0, at) + c.id.substr(at + part.size() - 1);
}

TEST(Layouts, GiveTheSameBits) {
  const std::vector<cases::Case> cases = cases::load_suite("edges").cases;
  std::map<std::string, std::map<std::string, std::string>> hashes;  // by case without layout, by check
  std::size_t compared = 0;
  Options options = emulator_options();
  options.make_device = [](reference::Model model, unsigned threads) {
    return device::make_emulator({.model = model, .threads = threads});
  };
  run_cases(cases, options, [&](std::size_t index, const reports::CaseRecord& record) {
    EXPECT_EQ(record.status, reports::Status::passed) << record.id << ": " << record.reason << record.notes;
    auto& of_case = hashes[without_layout(cases[index])];
    for (const reports::Check& check : record.checks) {
      if (check.name != "eager" && check.name != "replay 1" && check.name != "replay 2") continue;
      const auto [found, is_new] = of_case.emplace(check.name, check.actual_hash);
      EXPECT_EQ(found->second, check.actual_hash) << record.id << ", " << check.name;
      compared += is_new ? 0 : 1;
    }
  });
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace quadpair::run
