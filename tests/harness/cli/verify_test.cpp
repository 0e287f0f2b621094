#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <streambuf>

#include "tests/harness/cli/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> one_case{"verify", "--device", "emulator", "--filter",
                                        "^qpn2_gemm/minilm\\.0\\.o/m9/.*/s8\\.c2/sm90/"};

std::vector<std::string> with(std::vector<std::string> words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
  return words;
}

const Module& damaged_gemm(std::string_view name, Target target) {
  return damaged::find_module({"qpn2/gemm", damaged::Damage::wrong_shift}, name, target);
}

TEST(Verify, AllAsWantedIsZero) {
  const Folder folder;
  const Result result = call(with(one_case, {"--json", folder / "r.json", "--junit", folder / "r.xml"}));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 case on PTX emulator"));
  EXPECT_THAT(result.out, HasSubstr("all passed"));
  EXPECT_THAT(result.out, HasSubstr("report: " + (folder / "r.json")));
  EXPECT_THAT(result.out, Not(HasSubstr("\033")));
  EXPECT_THAT(result.err, HasSubstr("1 case of suite default on "));

  const json report = read_json(folder / "r.json");
  EXPECT_EQ(reports::violations(report), "");
  EXPECT_EQ(report["summary"]["passed"], 1);
  EXPECT_EQ(report["run"]["planned"], 1);
  EXPECT_FALSE(report["run"]["kernels"].empty());
  EXPECT_FALSE(report["cases"][0]["cost"]["warp_instructions"].empty());
  json line = json::parse(read(folder / "r.json.journal"));
  EXPECT_EQ(line["run"], report["run"]["id"]);
  line.erase("run");
  EXPECT_EQ(line["kernels"], report["run"]["kernels"]);
  line.erase("kernels");
  EXPECT_EQ(line, report["cases"][0]);
  EXPECT_THAT(read(folder / "r.xml"), HasSubstr("failures=\"0\""));
  EXPECT_THAT(report.dump(), Not(HasSubstr(fs::current_path().string())));
}

TEST(Verify, WrongResultsAreOneAndNameTheFirstElement) {
  const Folder folder;
  const Result result = call(with(one_case, {"--json", folder / "r.json"}), damaged_gemm);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out,
              testing::ContainsRegex("eager: [0-9]+ of 3456 differ, first at \\[[0-9]+, [0-9]+\\]: "
                                     "expected 0x[0-9a-f]{4} \\(.*\\), got 0x[0-9a-f]{4} \\("));
  EXPECT_THAT(result.err, HasSubstr("failed qpn2_gemm/minilm.0.o/m9/"));
  const json report = read_json(folder / "r.json");
  EXPECT_EQ(reports::violations(report), "");
  EXPECT_EQ(report["summary"]["failed"], 1);
}

TEST(Verify, TheReproCommandRunsJustThatCase) {
  const Result first = call(with(one_case, {}), damaged_gemm);
  const std::size_t at = first.out.find("repeat: quadpair ") + 17;
  const std::string words = first.out.substr(at, first.out.find('\n', at) - at);
  EXPECT_THAT(
      words,
      HasSubstr("verify --suite default --device emulator --seed 1 --filter '^qpn2_gemm/minilm\\.0\\.o/m9/"));
  std::vector<std::string> arguments;
  std::stringstream stream(words);
  for (std::string word; stream >> word;) {
    std::erase(word, '\'');
    arguments.push_back(word);
  }
  const Result again = call(arguments, damaged_gemm);
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, HasSubstr("1 case on"));
  EXPECT_EQ(call(arguments).status, 0);
}

TEST(Verify, MistrustedIsThree) {
  const Folder folder;
  write(folder / "s.json", R"({"schema": "quadpair.suite/1", "name": "mine", "description": "exact sums",
    "groups": [{"operators": ["qpn2_gemm"], "slices": ["edge.unit"], "m": [5], "plans": ["s8.c2"],
                "targets": {"sm70": ["volta"]}, "fills": ["exact"]}]})");
  const Result result = call({"verify", "--device", "emulator", "--cases", folder / "s.json"});
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_THAT(result.out, HasSubstr("exact in any order"));
  EXPECT_THAT(result.out, HasSubstr("--cases " + (folder / "s.json")));
}

TEST(Verify, NothingRunIsFour) {
  const Folder folder;
  const Result result = call({"verify", "--filter", "no such case", "--json", folder / "r.json"});
  EXPECT_EQ(result.status, 4);
  EXPECT_THAT(result.err, HasSubstr("no case"));
  EXPECT_FALSE(fs::exists(folder / "r.json"));
  EXPECT_EQ(call({"verify", "--m", "4000"}).status, 4);
  EXPECT_EQ(call({"verify", "--filter", std::string(100'000, 'a')}).status, 4);
}

TEST(Verify, WrongOptionsAreSixtyFour) {
  const auto usage = [](std::vector<std::string> arguments, const std::string& named) {
    const Result result = call(std::move(arguments));
    EXPECT_EQ(result.status, 64) << named;
    EXPECT_THAT(result.err, HasSubstr(named));
  };
  usage({}, "A command (verify, ");
  usage({"frobnicate"}, "frobnicate");
  usage({"verify", "--frobnicate"}, "--frobnicate");
  usage({"verify", "--filter", "("}, "--filter");
  usage({"verify", "--filter", std::string(100'000, '(')}, "--filter");
  usage({"verify", "--m", "1,x"}, "--m");
  usage({"verify", "--suite", "nope"}, "nope");
  usage({"verify", "--model", "kepler"}, "kepler");
  usage({"verify", "--device", "abacus"}, "abacus");
  usage({"verify", "--seed", "-1"}, "--seed");
  usage({"verify", "--seed", "18446744073709551616"}, "--seed");
  usage({"verify", "--jobs", "-1"}, "--jobs");
  usage({"verify", "--suite", "edges", "--cases", "x.json"}, "--cases");
  usage({"verify", "--json", "no/such/folder/r.json"}, "--json");
  usage({"verify", "--junit", "no/such/folder/r.xml"}, "--junit");
  usage({"verify", "--json", ""}, "--json");
  usage({"verify", "--junit", ""}, "--junit");
  usage({"verify", "--cases", ""}, "--cases");
  usage({"list", "--json", ""}, "--json");
  usage({"verify", "--json", "r", "--junit", "r"}, "--json and --junit name the same file");
  usage({"verify", "--json", "r", "--junit", "r.journal"}, "the journal of --json");
  usage({"verify", "--json", "r", "--hdf5", "./r"}, "--json and --hdf5 name the same file");
  usage({"verify", "--hdf5", "no/such/folder/r.h5"}, "--hdf5");
  usage({"verify", "--save-arrays", "always"}, "--hdf5");
  usage({"verify", "--hdf5", "r.h5", "--save-arrays", "some"}, "--save-arrays");
  usage({"verify", "--resume"}, "--json");
  for (const char* shard : {"0/2", "3/2", "1", "1/", "/2", "1/2/3", "a/b", "-1/2", "1/0"})
    usage({"verify", "--shard", shard}, "--shard");
  usage({"verify", "--filter", "^qpn2_gemm/minilm\\.0\\.o/m9/.*/s8\\.c2/sm90/", "--shard", "1/2"},
        "--shard 1/2: suite default has only 1 case");
  usage({"verify", "--cases", "s", "--json", "./s"}, "--json and --cases name the same file");
}

TEST(Verify, UnwritableReportsAreRefusedBeforeTheRun) {
  const Result result = call({"verify", "--json", "no/such/folder/r.json"});
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, Not(HasSubstr("on device")));
}

TEST(Verify, BadInputIsSixtyFive) {
  const Folder folder;
  const Result none = call({"verify", "--cases", folder / "none.json"});
  EXPECT_EQ(none.status, 65);
  EXPECT_THAT(none.err, HasSubstr("none.json"));
  write(folder / "s.json", "{\"schema\": ");
  EXPECT_EQ(call({"verify", "--device", "emulator", "--cases", folder / "s.json"}).status, 65);
  write(folder / "s.json",
        R"({"schema": "quadpair.suite/1", "name": "mine", "description": "NaN among the scales",
    "groups": [{"operators": ["qpn2_gemm"], "slices": ["refused.scale_nan"], "m": [5], "plans": ["s8.c2"],
                "targets": {"sm70": ["volta"]}, "fills": ["normal"]}]})");
  const Result bad = call({"verify", "--device", "emulator", "--cases", folder / "s.json"});
  EXPECT_EQ(bad.status, 65);
  EXPECT_THAT(bad.out, HasSubstr("row 37"));
}

TEST(Verify, NoSuchDeviceIsSixtyNine) {
  const Result result = call({"verify", "--device", "cuda:999"});
  EXPECT_EQ(result.status, 69);
  EXPECT_THAT(result.err, HasSubstr("no GPU"));
  EXPECT_EQ(result.out, "");
}

TEST(Verify, FaultsOfTheProgramAreSeventy) {
  struct Broken : std::streambuf {
    int overflow(int) override { return traits_type::eof(); }
  } broken;
  std::ostream out(&broken);
  std::ostringstream err;
  EXPECT_EQ(run({"quadpair", "list", "suites"}, {out, err}), 70);
  EXPECT_THAT(err.str(), HasSubstr("internal error"));
  EXPECT_THAT(err.str(), HasSubstr("stdout"));
}

TEST(Verify, HelpAndVersionAreZero) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"verify", "--help"},
                                                    {"list", "--help"},
                                                    {"completion", "--help"}}) {
    const Result result = call(arguments);
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.out, HasSubstr("Example"));
  }
  const Result version = call({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, HasSubstr("NVRTC 12.8"));
}

TEST(Verify, QuietLeavesStderrEmpty) {
  EXPECT_EQ(call(with(one_case, {"--quiet"})).err, "");
}

TEST(Verify, ColourOnATerminalUnlessNoColor) {
  EXPECT_THAT(call(one_case, find_module, {.out = true}).out, HasSubstr("\033[32m"));
  EXPECT_THAT(call(one_case, find_module, {.out = true, .no_color = true}).out, Not(HasSubstr("\033")));
  EXPECT_THAT(call(one_case, find_module, {.err = true}).err, HasSubstr("[###"));
}

TEST(Verify, JobsChangeNothingButTime) {
  const Folder folder;
  const auto hashes = [&](const char* jobs) {
    EXPECT_EQ(call({"verify", "--device", "emulator", "--suite", "edges", "--filter", "edge\\.all_codes/m19/",
                    "--jobs", jobs, "--json", folder / "r.json"})
                  .status,
              0);
    std::vector<std::string> all;
    const json report = read_json(folder / "r.json");
    for (const json& c : report["cases"]) {
      all.push_back(c["id"]);
      for (const json& check : c["checks"]) all.push_back(check["actual_hash"]);
    }
    return all;
  };
  const auto one = hashes("1");
  EXPECT_GT(one.size(), 50u);
  EXPECT_EQ(hashes("3"), one);
}

}  // namespace
}  // namespace quadpair::cli
