#include "cases/survivors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

const std::string list = R"({"schema": "quadpair.survivors/1", "survivors": [
  {"kernels": ["qpn2/gemm"], "targets": ["sm90"], "source": "kernels/a.cuh:7", "kinds": ["dropped", "guard"],
   "instruction": "bar.sync 0", "becomes": "", "reason": "nothing is read after this barrier"},
  {"source": "kernels/b.cuh:9", "reason": "any damage here changes no result"}]})";

Survivor survivor() {
  return {"qpn2/gemm", "sm90", "kernels/a.cuh:7", "kernels/c.cuh:1", "dropped", "bar.sync 0", ""};
}

TEST(Survivors, AreMatchedByEveryFieldThatIsGiven) {
  const ClassifiedSurvivors classified(list);
  EXPECT_EQ(classified.reason(survivor()), "nothing is read after this barrier");
  const auto other = [&](std::string Survivor::*field) {
    Survivor changed = survivor();
    changed.*field += "x";
    return classified.reason(changed);
  };
  EXPECT_EQ(other(&Survivor::kernel), std::nullopt);
  EXPECT_EQ(other(&Survivor::target), std::nullopt);
  EXPECT_EQ(other(&Survivor::source), std::nullopt);
  EXPECT_EQ(other(&Survivor::kind), std::nullopt);
  EXPECT_EQ(other(&Survivor::instruction), std::nullopt);
  EXPECT_EQ(other(&Survivor::becomes), std::nullopt);
  EXPECT_EQ(other(&Survivor::caller), "nothing is read after this barrier");
  EXPECT_EQ(classified.reason({"any", "sm70", "kernels/b.cuh:9", "", "guard", "x", "y"}),
            "any damage here changes no result");
}

TEST(Survivors, AListOfAnotherFormIsRefused) {
  EXPECT_THROW(ClassifiedSurvivors("{}"), DataError);
  EXPECT_THROW(ClassifiedSurvivors(R"({"schema": "quadpair.survivors/1", "survivors": [{"source": "a.cu:1"}]})"),
               DataError);
  EXPECT_THROW(ClassifiedSurvivors(R"({"schema": "quadpair.survivors/1", "survivors": [
                 {"source": "a.cu:1", "reason": "long enough to be one", "line": 3}]})"),
               DataError);
}

TEST(Survivors, TheCommittedListIsOfTheForm) {
  EXPECT_NO_THROW(ClassifiedSurvivors());
}

}  // namespace
}  // namespace quadpair::cases
