#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "reports/hdf5_read.hpp"
#include "tests/harness/cli/clocked_device.hpp"
#include "tests/harness/cli/support.hpp"
#include "tests/kernels/damaged/damaged.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr timing::Build release{.assertions = false, .optimised = true, .sanitised = false};
const std::string one_case = "^qpn2_gemm/minilm\\.0\\.o/m9/.*/s8\\.c2/sm90/";

/// The candidate takes `ratio` of the control, which takes a microsecond; both drift by `noise` between
/// samples, in steps that no two neighbours share.
Script script(double ratio, double noise = 0) {
  return {.seconds = [ratio, noise](const std::string& entry, unsigned sample) {
    const double drift = 1 + noise * (sample * 2654435761u >> 7 & 1);
    return 1e-6 * drift * (entry.starts_with("qpn2") ? ratio : 1);
  }};
}

Result bench(std::vector<std::string> arguments, const Script& script, timing::Build build = release,
             const run::ModuleLookup& find = find_module) {
  arguments.insert(arguments.begin(), {"quadpair", "bench", "--filter", one_case});
  std::ostringstream out, err;
  Environment environment{out, err};
  environment.find_module = find;
  environment.choose_device = clocked(script);
  environment.build = build;
  const int status = run(arguments, environment);
  return {status, out.str(), err.str()};
}

TEST(Bench, TimesTheVerifiedCaseAgainstTheStream) {
  const Folder folder;
  const Result result = bench({"--json", folder / "r.json", "--hdf5", folder / "r.h5"}, script(1.3));
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  EXPECT_THAT(result.out, HasSubstr("slower"));
  EXPECT_THAT(result.out, HasSubstr("1.300"));

  const json report = read_json(folder / "r.json");
  EXPECT_EQ(reports::violations(report), "");
  EXPECT_EQ(report["cases"][0]["status"], "passed");
  EXPECT_EQ(report["run"]["device"]["clocks_mhz"]["sm_median"], 1500);
  const json timing = report["timings"].at(0);
  EXPECT_EQ(timing["id"], report["cases"][0]["id"]);
  EXPECT_EQ(timing["control"], "stream");
  EXPECT_EQ(timing["unit"], "seconds");
  EXPECT_DOUBLE_EQ(timing["candidate_median"], 1.3e-6);
  EXPECT_DOUBLE_EQ(timing["ratio"], 1.3);
  EXPECT_DOUBLE_EQ(timing["aa_ratio"], 1);
  EXPECT_EQ(timing["samples"], 32);
  EXPECT_EQ(timing["dropped"], 0);
  // 384 x 384: codes, scales, x and y.
  EXPECT_EQ(timing["bytes"], 384 * 384 / 2 + 384 * 384 / 16 + 2 * 9 * 384 * 2);
  // The ceiling: 16 times 64 KiB in a microsecond.
  EXPECT_DOUBLE_EQ(timing["ceiling"], 16 * 65536 / 1e-6);
  EXPECT_THAT(timing["sampling"], HasSubstr("cold: 18 nodes a graph over 3 tensors"));
  std::vector<std::string> kernels;
  for (const json& kernel : report["run"]["kernels"]) {
    kernels.push_back(kernel["name"]);
    const std::string module = kernels.back().substr(0, kernels.back().find(':'));
    const auto target = target_from_string(kernel["target"].get<std::string>());
    EXPECT_EQ(kernel["sha256"],
              std::string(find_module(module, *target).cubin_sha256));  // as the device says
  }
  EXPECT_THAT(kernels, testing::Contains("bench/stream:stream"));

  const hid_t file = H5Fopen((folder / "r.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t samples = H5Dopen2(file, "/cases/0/samples", H5P_DEFAULT);
  const hid_t space = H5Dget_space(samples);
  EXPECT_EQ(H5Sget_simple_extent_npoints(space), 8 * 5);
  EXPECT_GE(H5Aexists_by_name(file, "/run", "command", H5P_DEFAULT), 1);
  H5Sclose(space);
  H5Dclose(samples);
  H5Fclose(file);
}

TEST(Bench, AnotherTuningAsControlAndAHotCache) {
  const Folder folder;
  const Result result = bench({"--control", "s16.c1", "--hot", "--json", folder / "r.json"}, script(1));
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  const json timing = read_json(folder / "r.json")["timings"].at(0);
  EXPECT_EQ(timing["verdict"], "equal-within");
  EXPECT_THAT(timing["sampling"], HasSubstr("hot: 16 nodes a graph over 1 tensor,"));
}

TEST(Bench, AnEarlyStartIsTheCandidatesAlone) {
  const Folder folder;
  Script early = script(1.3);
  early.seconds = [](const std::string& entry, unsigned) {
    return entry.ends_with(", early start") ? 1.1e-6 : entry.starts_with("qpn2") ? 9e-6 : 1e-6;
  };
  const Result result = bench({"--early-start", "--json", folder / "r.json"}, early);
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  const json timing = read_json(folder / "r.json")["timings"].at(0);
  EXPECT_DOUBLE_EQ(timing["ratio"], 1.1);
  EXPECT_DOUBLE_EQ(timing["control_median"], 1e-6);
  EXPECT_THAT(timing["candidate"], testing::EndsWith("@sm90, early start"));

  const Result as_control = bench({"--early-start", "--control", "s16.c1"}, early);
  EXPECT_THAT(as_control.out, HasSubstr("0.122"));  // 1.1 / 9: a kernel as control starts as ever
}

TEST(Bench, KernelsThatDoNotStartEarlyAreSkipped) {
  const Folder folder;
  EXPECT_EQ(call({"bench", "--device", "emulator", "--early-start", "--filter",
                  "^qpn2_gemm/minilm\\.0\\.o/m9/.*/s8\\.c2/sm80/", "--json", folder / "r.json"})
                .status,
            4);
  EXPECT_THAT(read_json(folder / "r.json")["cases"].at(0)["reason"],
              HasSubstr("sm80 kernels do not start early"));
}

TEST(Bench, FilesAreNamedAndDistinct) {
  const Folder folder;
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--json", ""},
                                                {"--hdf5", ""},
                                                {"--json", folder / "r", "--hdf5", folder / "r"},
                                                {"--json", folder / "r", "--hdf5", folder / "r.journal"}})
    EXPECT_EQ(bench(wrong, script(1)).status, 64) << wrong[1];
}

TEST(Bench, ALimitIsBrokenOnlyByAWholeInterval) {
  const Result broken = bench({"--max-ratio", "1.2"}, script(1.3));
  EXPECT_EQ(broken.status, 2);
  EXPECT_THAT(broken.out, HasSubstr("above --max-ratio 1.2: qpn2_gemm/minilm.0.o/m9/"));
  EXPECT_EQ(bench({"--max-ratio", "1.4"}, script(1.3)).status, 0);
  const Result wide = bench({"--max-ratio", "1.3"}, script(1.3, 1.0));
  EXPECT_EQ(wide.status, 3) << wide.out;
}

TEST(Bench, AControlThatDiffersFromItselfIsThree) {
  Script uneven = script(2);
  uneven.seconds = [](const std::string& entry, unsigned sample) {
    return entry.starts_with("qpn2") ? 4e-6 : sample % 3 == 1 ? 2e-6 : 1e-6;
  };
  const Result result = bench({"--max-ratio", "1.5"}, uneven);
  EXPECT_EQ(result.status, 3) << result.out;
  EXPECT_THAT(result.out, HasSubstr("ambiguous"));
}

TEST(Bench, AlwaysThrottledIsThreeWithoutARatio) {
  const Folder folder;
  Script slow = script(1.3);
  slow.throttled = true;
  EXPECT_EQ(bench({"--json", folder / "r.json"}, slow).status, 3);
  const json report = read_json(folder / "r.json");
  EXPECT_EQ(reports::violations(report), "");
  EXPECT_TRUE(report["timings"][0]["ratio"].is_null());
  EXPECT_EQ(report["timings"][0]["dropped"], 4 * 64);
}

TEST(Bench, WhatIsWrongIsNotTimed) {
  const Folder folder;
  const auto damaged = [](std::string_view name, Target target) -> const Module& {
    return damaged::find_module({"qpn2/gemm", damaged::Damage::wrong_shift}, name, target);
  };
  const Result result = bench({"--json", folder / "r.json"}, script(1.3), release, damaged);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("repeat: quadpair bench --device cuda"));
  EXPECT_TRUE(read_json(folder / "r.json")["timings"].empty());

  Script spoilt = script(1.3);
  spoilt.spoils_replays = true;
  const Result after = bench({}, spoilt);
  EXPECT_EQ(after.status, 1);
  EXPECT_THAT(after.out, HasSubstr("after timing"));
}

TEST(Bench, KernelsOfOtherTargetsAreSkippedAndNothingRanIsFour) {
  const Result result = bench({"--cases", "x.json"}, script(1));
  EXPECT_EQ(result.status, 65);
  std::ostringstream out, err;
  Environment environment{out, err};
  environment.choose_device = clocked(script(1));
  environment.build = release;
  EXPECT_EQ(run({"quadpair", "bench", "--filter", "minilm\\.0\\.o/m9/.*/s8\\.c2/sm80/"}, environment), 4);
  EXPECT_THAT(out.str(), HasSubstr("1 skipped"));
}

TEST(Bench, WhatIsMissingIsSixtyNine) {
  const Result no_library = bench({"--control", "cublas"}, script(1));
  EXPECT_EQ(no_library.status, 69);
  EXPECT_THAT(no_library.err, HasSubstr("no library of dense products"));
  Script unknown = script(1);
  unknown.l2_bytes = 0;
  const Result no_l2 = bench({}, unknown);
  EXPECT_EQ(no_l2.status, 69);
  EXPECT_THAT(no_l2.err, HasSubstr("--working-set"));
  EXPECT_EQ(bench({"--working-set", "2"}, unknown).status, 0);
  EXPECT_EQ(call({"bench", "--device", "cuda:999"}).status, 69);
}

TEST(Bench, ADebugBuildTimesNothing) {
  const Result result = bench({}, script(1), {.assertions = true, .optimised = false, .sanitised = false});
  EXPECT_EQ(result.status, 64);
  EXPECT_THAT(result.err, HasSubstr("times nothing"));
}

TEST(Bench, ItsFilesAreOfThisRunFromTheStart) {
  const Folder folder;
  write(folder / "r.json", "of an older run");
  write(folder / "r.h5", "of an older run");
  std::string report_then, samples_then;
  Script watching = script(1);
  watching.seconds = [&](const std::string&, unsigned) {
    if (report_then.empty()) {
      report_then = read(folder / "r.json");
      samples_then = reports::read_run_id(folder / "r.h5");
    }
    return 1e-6;
  };
  EXPECT_EQ(bench({"--json", folder / "r.json", "--hdf5", folder / "r.h5"}, watching).status, 0);
  const json then = json::parse(report_then), now = read_json(folder / "r.json");
  EXPECT_EQ(reports::violations(then), "");
  EXPECT_EQ(then["run"]["id"], now["run"]["id"]);
  EXPECT_EQ(then["run"]["id"], samples_then);
  EXPECT_EQ(then["run"]["finished"], "");
  EXPECT_TRUE(then["cases"].empty());
  EXPECT_EQ(now["cases"].size(), 1u);
}

TEST(Bench, WrongOptionsAreSixtyFour) {
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--control", "marlin"},
                                                {"--hot", "--working-set", "2"},
                                                {"--working-set", "0"},
                                                {"--max-ratio", "0"},
                                                {"--max-ratio", "-1"},
                                                {"--max-ratio", "nan"},
                                                {"--max-ratio", "1e999"},
                                                {"--seed", "-1"},
                                                {"--hdf5", ""},
                                                {"--json", ""},
                                                {"--hot=2", "--quiet"},
                                                {"--json", "same", "--hdf5", "./same"},
                                                {"--hdf5", "no/such/folder/r.h5"}})
    EXPECT_EQ(bench(wrong, script(1)).status, 64) << wrong[0] << " " << wrong[1];
}

TEST(Bench, TheEmulatorCountsInstead) {
  const Folder folder;
  const Result result = call({"bench", "--device", "emulator", "--filter", one_case, "--control", "sm70",
                              "--json", folder / "r.json"});
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  EXPECT_THAT(result.out, HasSubstr("counted instead of time"));
  const json report = read_json(folder / "r.json");
  EXPECT_EQ(reports::violations(report), "");
  const json timing = report["timings"].at(0);
  EXPECT_EQ(timing["unit"], "warp instructions");
  std::uint64_t counted = 0;
  for (const json& n : report["cases"][0]["cost"]["warp_instructions"]) counted += n.get<std::uint64_t>();
  for (const json& n : report["cases"][0]["cost"]["mma"]) counted += n.get<std::uint64_t>();
  EXPECT_EQ(timing["candidate_median"], counted);
  EXPECT_TRUE(timing["bandwidth_fraction"].is_null());
  EXPECT_EQ(timing["ratio"], timing["ratio_low"]);
  EXPECT_EQ(call({"bench", "--device", "emulator", "--filter", one_case, "--timeout", "9"}).status, 64);
  const Result costlier = call({"bench", "--device", "emulator", "--filter", one_case, "--max-ratio", "1"});
  EXPECT_EQ(costlier.status, 2);
  EXPECT_THAT(costlier.out, HasSubstr("above --max-ratio 1: "));
  EXPECT_EQ(call({"bench", "--device", "emulator", "--filter", one_case, "--control", "cublas"}).status, 69);
}

}  // namespace
}  // namespace quadpair::cli
