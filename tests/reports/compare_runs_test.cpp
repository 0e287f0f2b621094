// Which runs may be compared, and what is said of the whole.
#include "reports/compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "tests/reports/made_up.hpp"

namespace quadpair::reports {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Compare, CasesAddedAndGone) {
  Report now = made_up();
  now.cases[0] = passed(2);
  const Comparison c = compared(made_up(), now);
  EXPECT_THAT(c.added, ElementsAre(id_of(2)));
  EXPECT_THAT(c.gone, ElementsAre(id_of(0)));
  ASSERT_EQ(c.cases.size(), 1u);
  EXPECT_EQ(c.cases[0].id, id_of(1));
  EXPECT_EQ(outcome_of(c), Outcome::good);
}

TEST(Compare, NothingInCommon) {
  Report now = made_up();
  now.cases = {passed(2)};
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::nothing);
  now.cases = {passed(1)};
  now.cases[0].status = Status::skipped;
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::nothing);
  now.cases.push_back(passed(2));
  now.cases[1].id = id_of(0);
  now.cases[1].status = Status::failed;
  EXPECT_EQ(outcome_of(compared(made_up(), now)), Outcome::wrong);  // the worst wins
}

TEST(Compare, SlowerIsWorseThanAmbiguous) {
  Report base = made_up(), now = made_up();
  base.timings = {timed(0, 1), timed(1, 1)};
  now.timings = {timed(0, 1), timed(1, 2)};
  now.timings[0].sampling = "hot";
  EXPECT_EQ(outcome_of(compared(base, now)), Outcome::costlier);
}

void expect_refused(const Report& now, const std::string& why) {
  try {
    compare(made_up(), now, false, by_ratio);
    ADD_FAILURE() << why;
  } catch (const NotAlike& e) {
    EXPECT_THAT(e.what(), HasSubstr(why));
  }
  EXPECT_THAT(compared(made_up(), now, true).across, ElementsAre(HasSubstr(why)));
}

TEST(Compare, RunsThatAreNotAlikeAreRefusedUnlessAsked) {
  Report now = made_up();
  now.run.seed = 2;
  expect_refused(now, "seed 1, now 2");
  now = made_up();
  now.run.device.name = "another GPU";
  expect_refused(now, "device a GPU (cuda), now another GPU (cuda)");
  now = made_up();
  now.run.device.arithmetic = {{"ampere", "capability"}};
  expect_refused(now, "models hopper, now ampere");
  now = made_up();
  now.run.suite->name = "another";
  expect_refused(now, "suite made-up, now another");
  now = made_up();
  now.cases[1].slice.sha256 = std::string(64, 'e');
  expect_refused(now, "weights of 1 cases, " + id_of(1));
}

TEST(Compare, PartsOfASuiteAndThreadsOfTheEmulatorAreAlike) {
  Report base = made_up(), now = made_up();
  base.run.device.arithmetic = {{"hopper", "case"}, {"ampere", "case"}};
  EXPECT_THAT(compared(base, now).across, IsEmpty());
  base = made_up();
  base.run.device.kind = now.run.device.kind = "emulator";
  now.run.device.name = "PTX emulator, 2 threads";
  EXPECT_THAT(compared(base, now).across, IsEmpty());
}

TEST(Compare, AcrossModelsCasesPairByTheRestOfTheirIds) {
  Report now = made_up();
  now.run.device.arithmetic = {{"ampere", "capability"}};
  for (CaseRecord& c : now.cases) {
    c.id.replace(c.id.find("s8.c2/sm90/hopper"), 17, "s16.c1/sm80/ampere");
    c.target = "sm80";
    c.model = "ampere";
    c.route = kernel + "@sm80";
    for (KernelRecord& k : c.kernels) k.target = "sm80";
    c.checks[0].actual_hash = std::string(32, '9');
  }
  now.cases.push_back(now.cases[0]);  // two that could be the first: neither is
  now.cases.back().id.replace(now.cases.back().id.find("s16.c1"), 6, "s32.c1");
  const Comparison c = compared(made_up(), now, true);
  ASSERT_EQ(c.cases.size(), 1u);
  EXPECT_EQ(c.cases[0].id, "qpn2_gemm/slice1/m8/dual/s16.c1/sm80/ampere/real");
  EXPECT_EQ(c.cases[0].base_id, id_of(1));
  EXPECT_EQ(c.cases[0].bits, Bits::other_code);
  EXPECT_EQ(c.added.size(), 2u);
  EXPECT_THAT(c.gone, ElementsAre(id_of(0)));
}

TEST(Compare, ALedgerThatGrewIsCostlierAndOneThatShrankIsNot) {
  const auto with = [](std::uint64_t rank1, const std::string& policy = "shared") {
    Report report = made_up();
    report.ledger =
        Ledger{2, {{policy, {{0, {{"turbomind_codes", 100}}}, {1, {{"turbomind_codes", rank1}}}}}}};
    return report;
  };
  Comparison c = compared(with(100), with(104));
  EXPECT_THAT(c.ledger, ElementsAre(Amount{"shared turbomind_codes", 200, 204}));
  EXPECT_EQ(outcome_of(c), Outcome::costlier);
  c = compared(with(104), with(100));
  EXPECT_THAT(c.ledger, ElementsAre(Amount{"shared turbomind_codes", 204, 200}));
  EXPECT_EQ(outcome_of(c), Outcome::good);
  EXPECT_THAT(compared(with(100), with(100)).ledger, IsEmpty());
  EXPECT_THAT(compared(with(100), with(104, "dual")).ledger, IsEmpty());
  EXPECT_THAT(compared(made_up(), with(100)).notes, ElementsAre("only the new report has a ledger"));
}

TEST(Compare, NotesTellWhatAFileDoesNot) {
  Report now = made_up();
  now.run.suite.reset();
  now.run.finished = "";
  now.run.device.driver = "14.0";
  const Comparison c = compared(made_up(), now);
  EXPECT_THAT(c.notes, ElementsAre("driver 13.0, now 14.0", "the new report does not name its suite",
                                   "the new run did not finish"));
}

/// Names of properties and values of enumerations anywhere in a schema.
void words_of(const nlohmann::json& schema, std::set<std::string>& words) {
  if (schema.is_object()) {
    if (const auto properties = schema.find("properties"); properties != schema.end())
      for (const auto& [name, value] : properties->items()) words.insert(name);
    if (const auto values = schema.find("enum"); values != schema.end())
      for (const nlohmann::json& value : *values)
        if (value.is_string() && !value.get_ref<const std::string&>().empty()) words.insert(value);
  }
  if (schema.is_structured())
    for (const nlohmann::json& member : schema) words_of(member, words);
}

std::string read(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(QUADPAIR_TEST_DATA "/../" + file).rdbuf();
  return text.str();
}

TEST(Compare, EveryWordOfTheFileIsDocumented) {
  std::set<std::string> words;
  words_of(nlohmann::json::parse(read("reports/comparison.schema.json")), words);
  for (const std::string known_from_reports :
       {"passed", "failed", "skipped", "refused", "mistrusted", "emulator", "cuda"})
    words.erase(known_from_reports);
  EXPECT_GT(words.size(), 40u);
  const std::string docs = read("docs/compare.md");
  for (const std::string& word : words) EXPECT_THAT(docs, HasSubstr("`" + word + "`"));
}

}  // namespace
}  // namespace quadpair::reports
