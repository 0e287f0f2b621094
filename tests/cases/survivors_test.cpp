#include "cases/survivors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string list = R"({"schema": "quadpair.survivors/2", "survivors": [
  {"kernels": ["qpn2/gemm"], "targets": ["sm90"], "entries": ".*_r[12]_q2", "sources": ["kernels/a.cuh:7", "kernels/a.cuh:8"],
   "kinds": ["dropped", "guard"], "caller": "kernels/c\\.cuh:.*", "instruction": "bar.sync 0", "becomes": "",
   "reason": "nothing is read after this barrier", "counts": {"qpn2/gemm sm90": 3}},
  {"sources": ["kernels/b.cuh:9"], "reason": "any damage here changes no result"}]})";

Survivor survivor() {
  return {"qpn2/gemm",       "sm90",    "gemm_r1_q2", "kernels/a.cuh:7",
          "kernels/c.cuh:1", "dropped", "bar.sync 0", ""};
}

TEST(Survivors, AreMatchedByEveryFieldThatIsGiven) {
  const ClassifiedSurvivors classified(list);
  const auto found = classified.classify(survivor());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->number, 0u);
  EXPECT_EQ(found->reason, "nothing is read after this barrier");
  const auto changed = [&](std::string Survivor::*field, const std::string& value) {
    Survivor other = survivor();
    other.*field = value;
    return classified.classify(other).has_value();
  };
  EXPECT_FALSE(changed(&Survivor::kernel, "qpn2/gated"));
  EXPECT_FALSE(changed(&Survivor::target, "sm80"));
  EXPECT_FALSE(changed(&Survivor::entry, "gemm_r4_q2"));
  EXPECT_FALSE(changed(&Survivor::entry, "gemm_r1_q2_more"));
  EXPECT_FALSE(changed(&Survivor::source, "kernels/a.cuh:77"));
  EXPECT_TRUE(changed(&Survivor::source, "kernels/a.cuh:8"));
  EXPECT_FALSE(changed(&Survivor::kind, "constant"));
  EXPECT_TRUE(changed(&Survivor::kind, "guard"));
  EXPECT_FALSE(changed(&Survivor::caller, "kernels/d.cuh:1"));
  EXPECT_TRUE(changed(&Survivor::caller, "kernels/c.cuh:2"));
  EXPECT_FALSE(changed(&Survivor::instruction, "bar.sync 1"));
  EXPECT_FALSE(changed(&Survivor::becomes, "ret"));
  const auto any = classified.classify({"any", "sm70", "e", "kernels/b.cuh:9", "", "guard", "x", "y"});
  ASSERT_TRUE(any);
  EXPECT_EQ(any->number, 1u);
}

TEST(Survivors, AClassThatHasOthersThanItSaysIsStale) {
  const ClassifiedSurvivors classified(list);
  EXPECT_THAT(classified.stale("qpn2/gemm", "sm90", {{0, 3}}), IsEmpty());
  EXPECT_THAT(classified.stale("qpn2/gemm", "sm80", {}), IsEmpty());
  EXPECT_THAT(classified.stale("qpn2/gemm", "sm90", {{0, 2}}),
              ElementsAre(HasSubstr("/survivors/0: 3 survivors are listed, 2 found")));
  EXPECT_THAT(classified.stale("qpn2/gemm", "sm90", {}),
              ElementsAre(HasSubstr("/survivors/0: 3 survivors are listed, 0 found")));
  EXPECT_THAT(classified.stale("qpn2/gemm", "sm80", {{1, 1}}),
              ElementsAre(HasSubstr("/survivors/1: 0 survivors are listed, 1 found")));
}

TEST(Survivors, AListOfAnotherFormIsRefused) {
  EXPECT_THROW(ClassifiedSurvivors("{}"), DataError);
  EXPECT_THROW(
      ClassifiedSurvivors(R"({"schema": "quadpair.survivors/2", "survivors": [{"sources": ["a.cu:1"]}]})"),
      DataError);
  EXPECT_THROW(ClassifiedSurvivors(R"({"schema": "quadpair.survivors/2", "survivors": [
                 {"sources": ["a.cu:1"], "reason": "long enough to be one", "line": 3}]})"),
               DataError);
  EXPECT_THROW(ClassifiedSurvivors(R"({"schema": "quadpair.survivors/2", "survivors": [
                 {"sources": ["a.cu:1"], "reason": "long enough to be one", "entries": "("}]})"),
               DataError);
}

TEST(Survivors, TheCommittedListIsOfTheForm) {
  EXPECT_NO_THROW(ClassifiedSurvivors());
}

}  // namespace
}  // namespace quadpair::cases
