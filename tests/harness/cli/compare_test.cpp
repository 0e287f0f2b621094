#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/cli/clocked_device.hpp"
#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string one_case = "^qpn2_gemm/minilm\\.0\\.o/m9/.*/s8\\.c2/sm90/";

class CompareCommand : public testing::Test {
 protected:
  /// A benchmark whose candidate takes `ratio` of the control, with some noise that `seed` chooses.
  void bench(const std::string& name, double ratio, unsigned seed, bool samples = true,
             double noise = 0.005) {
    const Script script{.seconds = [=](const std::string& entry, unsigned sample) {
      const double wave = (((sample + 1) * 2654435761u + seed * 40503u) >> 8 & 1023) / 1023.0 - 0.5;
      return 1e-6 * (1 + noise * wave) * (entry.starts_with("qpn2") ? ratio : 1);
    }};
    std::ostringstream out, err;
    Environment environment{out, err};
    environment.choose_device = clocked(script);
    environment.build = {.assertions = false, .optimised = true, .sanitised = false};
    std::vector<std::string> words{
        "quadpair", "bench", "--quiet", "--filter", one_case, "--json", folder_ / (name + ".json")};
    if (samples) words.insert(words.end(), {"--hdf5", folder_ / (name + ".h5")});
    ASSERT_EQ(run(words, environment), 0) << err.str() << out.str();
  }

  Result compare(const std::string& base, const std::string& now, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"compare", folder_ / (base + ".json"), folder_ / (now + ".json"), "--json",
                                   folder_ / "c.json"};
    words.insert(words.end(), more.begin(), more.end());
    std::filesystem::remove(folder_ / "c.json");
    Result result = call(words);
    if (std::filesystem::exists(folder_ / "c.json")) {
      comparison_ = read_json(folder_ / "c.json");
      EXPECT_EQ(reports::violations(comparison_, "comparison.schema.json"), "");
      EXPECT_EQ(comparison_["exit"], result.status);
    }
    return result;
  }

  /// A report with one thing changed.
  void change(const std::string& from, const std::string& to, const std::function<void(json&)>& edit) {
    json report = read_json(folder_ / (from + ".json"));
    edit(report);
    write(folder_ / (to + ".json"), report.dump());
  }

  Folder folder_;
  json comparison_;
};

TEST_F(CompareCommand, TheSameTwiceIsGood) {
  bench("a", 1.5, 1);
  bench("b", 1.5, 2);
  const Result result = compare("a", "b");
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("samples"));
  EXPECT_THAT(result.out, HasSubstr("1 case compared, 1 with the same bits\n"));
  const json c = comparison_["cases"].at(0);
  EXPECT_EQ(c["bits"], "same");
  EXPECT_EQ(c["times"].at(0)["speed"], "same");
  EXPECT_EQ(c["times"].at(0)["evidence"], "samples");
  EXPECT_NEAR(c["times"].at(0)["ratio"].get<double>(), 1, 0.01);
  EXPECT_EQ(c["kernels"]["base"], c["kernels"]["new"]);
  ASSERT_EQ(c["kernels"]["base"].size(), 1u);  // the case's own, and not the control's
  EXPECT_THAT(c["kernels"]["base"][0]["name"].get<std::string>(), HasSubstr("qpn2"));
}

TEST_F(CompareCommand, ASlowerKernelIsStatusTwo) {
  bench("a", 1.5, 1);
  bench("b", 1.5 * 1.06, 2);
  const Result slower = compare("a", "b");
  EXPECT_EQ(slower.status, 2) << slower.out;
  EXPECT_THAT(slower.out, HasSubstr("slower"));
  const Result faster = compare("b", "a");
  EXPECT_EQ(faster.status, 0) << faster.out;
  EXPECT_THAT(faster.out, HasSubstr("faster"));
}

TEST_F(CompareCommand, WithoutSamplesTheIntervalsAreUsedAndItSaysSo) {
  bench("a", 1.5, 1);
  bench("b", 1.5 * 1.06, 2, false);
  Result result = compare("a", "b");
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.err, HasSubstr("b.json: no raw samples were written"));
  EXPECT_THAT(result.out, HasSubstr("intervals"));
  EXPECT_EQ(comparison_["cases"].at(0)["times"].at(0)["evidence"], "intervals");

  bench("b", 1.5 * 1.06, 2);
  std::filesystem::remove(folder_ / "b.h5");
  result = compare("a", "b");
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.err, HasSubstr("raw samples cannot be read"));

  std::filesystem::copy(folder_ / "a.h5", folder_ / "b.h5");
  EXPECT_THAT(compare("a", "b").err, HasSubstr("b.h5 is of another run"));
}

TEST_F(CompareCommand, SamplesAreFoundWhereverBothFilesWereMoved) {
  bench("a", 1.5, 1);
  const std::string elsewhere = folder_ / "elsewhere";
  std::filesystem::create_directory(elsewhere);
  for (const char* file : {"a.json", "a.h5"}) std::filesystem::rename(folder_ / file, elsewhere + "/" + file);
  const Result result = compare("elsewhere/a", "elsewhere/a");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("samples"));
}

TEST_F(CompareCommand, AWideSpreadIsAmbiguous) {
  bench("a", 1.5, 1, false, 0.6);
  bench("b", 1.5, 2, false, 0.6);
  const Result result = compare("a", "b");
  EXPECT_EQ(result.status, 3) << result.out;
  EXPECT_THAT(result.out, HasSubstr("ambiguous"));
}

TEST_F(CompareCommand, OtherBitsByTheSameCodeAreStatusOne) {
  bench("a", 1.5, 1);
  change("a", "b", [](json& report) {
    for (json& check : report["cases"][0]["checks"])
      if (check["name"] == "eager") check["actual_hash"] = std::string(32, '0');
  });
  const Result result = compare("a", "b");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("OTHER, SAME CODE"));
  EXPECT_THAT(result.out, HasSubstr("other bits in eager\n"));
}

TEST_F(CompareCommand, RunsThatAreNotAlikeAreRefusedOrFlaggedInEachLine) {
  bench("a", 1.5, 1);
  change("a", "b", [](json& report) { report["run"]["seed"] = 2; });
  Result result = compare("a", "b");
  EXPECT_EQ(result.status, 65);
  EXPECT_THAT(result.err, HasSubstr("seed 1, now 2"));
  EXPECT_EQ(result.out, "");
  result = compare("a", "b", {"--across"});
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("not alike: seed 1, now 2"));
  EXPECT_THAT(result.out, HasSubstr("across qpn2_gemm/"));
  EXPECT_EQ(comparison_["cases"].at(0)["across"], true);
}

TEST_F(CompareCommand, NothingInCommonIsStatusFour) {
  bench("a", 1.5, 1);
  change("a", "b", [](json& report) {
    report["cases"][0]["id"] = "another";
    report["timings"] = json::array();
  });
  const Result result = compare("a", "b");
  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.out, HasSubstr("added: another"));
  EXPECT_THAT(result.out, HasSubstr("gone: qpn2_gemm/"));
}

TEST_F(CompareCommand, CountedCostOnTheEmulator) {
  const auto verify = [&](const std::string& name) {
    return call({"verify", "--device", "emulator", "--quiet", "--filter", one_case, "--json",
                 folder_ / (name + ".json")})
        .status;
  };
  ASSERT_EQ(verify("a"), 0);
  ASSERT_EQ(verify("b"), 0);
  EXPECT_EQ(compare("a", "b").status, 0);
  change("a", "b", [](json& report) {
    json& mma = report["cases"][0]["cost"]["mma"].front();
    mma = mma.get<int>() + 8;
  });
  const Result result = compare("a", "b");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, HasSubstr(": mma m16n8k16 "));
  EXPECT_THAT(result.out, HasSubstr("costlier"));
}

TEST_F(CompareCommand, WhatIsNoReportIsBadData) {
  write(folder_ / "a.json", "{}");
  EXPECT_EQ(compare("a", "a").status, 65);
  write(folder_ / "a.json", "no JSON");
  EXPECT_EQ(compare("a", "a").status, 65);
  EXPECT_EQ(compare("missing", "missing").status, 65);
  EXPECT_EQ(call({"compare", "one"}).status, 64);
}

TEST_F(CompareCommand, ColourOnlyOnATerminal) {
  bench("a", 1.5, 1);
  bench("b", 1.5 * 1.06, 2);
  const std::vector<std::string> words{"compare", folder_ / "a.json", folder_ / "b.json"};
  EXPECT_THAT(call(words).out, Not(HasSubstr("\033[")));
  EXPECT_THAT(call(words, find_module, {.out = true}).out, HasSubstr("\033[31mslower"));
  EXPECT_THAT(call(words, find_module, {.out = true, .no_color = true}).out, Not(HasSubstr("\033[")));
}

}  // namespace
}  // namespace quadpair::cli
