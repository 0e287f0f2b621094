// A suite in parts, in process: dealt out, merged, and gone on with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "reports/hdf5_read.hpp"
#include "tests/harness/cli/hdf5_contents.hpp"
#include "tests/harness/cli/support.hpp"
#include "tests/reports/schema.hpp"

namespace quadpair::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// Three cases.
const std::vector<std::string> three_cases{"--device", "emulator", "--filter",
                                           "^qpn2_gemm/minilm\\.0\\.o/m(1|9|17)/.*/s8\\.c2/sm90/"};

Result verify(std::vector<std::string> words) {
  words.insert(words.begin(), {"verify", "--quiet"});
  words.insert(words.end(), three_cases.begin(), three_cases.end());
  return call(words);
}

/// What is the same in every run of the same.
json lasting(json report) {
  for (const char* name : {"id", "started", "finished", "command", "hdf5"}) report["run"].erase(name);
  for (json& record : report["cases"]) record.erase("seconds");
  return report;
}

TEST(Shards, MergeToTheWhole) {
  const Folder folder;
  const auto files = [&](const std::string& name, std::vector<std::string> more) {
    more.insert(more.end(), {"--json", folder / (name + ".json"), "--hdf5", folder / (name + ".h5"),
                             "--save-arrays", "always"});
    return more;
  };
  ASSERT_EQ(verify(files("whole", {})).status, 0);
  ASSERT_EQ(verify(files("one", {"--shard", "1/2"})).status, 0);
  ASSERT_EQ(verify(files("two", {"--shard", "2/2"})).status, 0);
  const json one = read_json(folder / "one.json"), two = read_json(folder / "two.json");
  EXPECT_EQ(reports::violations(two), "");
  EXPECT_EQ(two["run"]["shard"], json({{"index", 2}, {"of", 2}}));
  EXPECT_EQ(one["cases"].size() + two["cases"].size(), 3u);
  EXPECT_EQ(one["run"]["planned"], one["cases"].size());

  const Result merged = call({"merge", folder / "two.json", folder / "one.h5", folder / "one.json",
                              folder / "two.h5", "-o", folder / "all.json", "--hdf5", folder / "all.h5"});
  EXPECT_EQ(merged.status, 0) << merged.err;
  EXPECT_EQ(merged.out, "3 cases of 2 shards: 3 passed\n");
  const json all = read_json(folder / "all.json");
  EXPECT_EQ(reports::violations(all), "");
  EXPECT_EQ(lasting(all), lasting(read_json(folder / "whole.json")));
  EXPECT_EQ(all["run"]["hdf5"], "all.h5");
  EXPECT_EQ(hdf5_contents(folder / "all.h5"), hdf5_contents(folder / "whole.h5"));
  EXPECT_EQ(reports::read_run_id(folder / "all.h5"), all["run"]["id"]);

  const auto refused = [&](std::vector<std::string> inputs, const std::string& why, int status = 65) {
    inputs.insert(inputs.begin(), "merge");
    inputs.insert(inputs.end(), {"-o", folder / "no.json"});
    const Result result = call(inputs);
    EXPECT_EQ(result.status, status) << why;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_FALSE(fs::exists(folder / "no.json"));
  };
  const std::string o = folder / "one.json", t = folder / "two.json";
  refused({o}, "missing: shard 2/2");
  refused({o, t, o}, o + ": shard 1/2 again, after " + o);
  refused({o, folder / "whole.json"}, "whole.json: shard 1/1 where " + o + " has one of 2");
  refused({o, folder / "one.h5"}, "--hdf5 says where", 64);
  refused({o, t, "--hdf5", folder / "no.h5"}, "none of the inputs is an HDF5 file", 64);
  refused({o, t, folder / "one.h5", "--hdf5", folder / "no.h5"}, "missing: the HDF5 file of " + t);
  refused({o, t, folder / "one.h5", folder / "whole.h5", "--hdf5", folder / "no.h5"},
          "whole.h5: of none of these runs");
  refused({o, t, "nothing.json"}, "nothing.json: no such file");
  write(folder / "text.json", "hello");
  refused({o, folder / "text.json"}, "text.json: ");
  ASSERT_EQ(verify({"--shard", "2/2", "--seed", "2", "--json", folder / "seed.json"}).status, 0);
  refused({o, folder / "seed.json"}, "seed.json: not of one run with " + o + ": seed: 2, not 1");
}

TEST(Resume, RefusesFilesOfAnotherRunByName) {
  const Folder folder;
  const std::string file = folder / "r.json";
  ASSERT_EQ(verify({"--json", file}).status, 0);
  const std::string before = read(file), journal = read(file + ".journal");
  const auto refused = [&](std::vector<std::string> words, const std::string& why) {
    words.insert(words.end(), {"--json", file, "--resume"});
    const Result result = verify(words);
    EXPECT_EQ(result.status, 65) << why;
    EXPECT_THAT(result.err, AllOf(HasSubstr(file), HasSubstr("of another run: " + why)));
    EXPECT_EQ(read(file), before);
    EXPECT_EQ(read(file + ".journal"), journal);
  };
  refused({"--seed", "2"}, "seed: 1, not 2");
  refused({"--repeats", "2"}, "options: ");
  refused({"--m", "9"}, "suite: default of 3 cases");
  refused({"--model", "hopper"}, "model: hopper by case, not hopper by option");
  refused({"--shard", "1/2"}, "shard: 1/1, not 1/2");
  refused({"--hdf5", folder / "r.h5", "--save-arrays", "never"}, folder / "r.h5 is not there");

  // A record of a place that the suite has not, and one of another case than the suite has there.
  for (const auto& [key, value] : {std::pair<std::string, json>{"index", 99999}, {"id", "another/case"}}) {
    json wrong = json::parse(before);
    wrong["cases"][1][key] = value;
    write(file, wrong.dump());
    write(file + ".journal", "");
    const Result strange = verify({"--json", file, "--resume"});
    EXPECT_EQ(strange.status, 65);
    EXPECT_THAT(strange.err, HasSubstr("is not the case at its place in the suite"));
    EXPECT_EQ(read(file), wrong.dump());
  }
  write(file, before);
  write(file + ".journal",
        std::regex_replace(journal, std::regex("\"run\":\"[^\"]*\""), "\"run\":\"other\""));
  const Result foreign = verify({"--json", file, "--resume"});
  EXPECT_EQ(foreign.status, 65);
  EXPECT_THAT(foreign.err, AllOf(HasSubstr(file + ".journal"), HasSubstr("is of run other")));
  write(file, "hello");
  const Result nonsense = verify({"--json", file, "--resume"});
  EXPECT_EQ(nonsense.status, 65);
  EXPECT_THAT(nonsense.err, HasSubstr(file));
}

TEST(Resume, WithoutAFileTheRunBegins) {
  const Folder folder;
  const Result result = verify({"--json", folder / "r.json", "--resume"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(read_json(folder / "r.json")["summary"]["passed"], 3);
}

TEST(Resume, OnlyWhatIsNotFinishedRuns) {
  const Folder folder;
  const std::vector<std::string> words{
      "--jobs", "1", "--json", folder / "r.json", "--hdf5", folder / "r.h5", "--save-arrays", "always"};
  ASSERT_EQ(verify(words).status, 0);
  const json whole = read_json(folder / "r.json");
  const auto contents = hdf5_contents(folder / "r.h5");

  // As if the run had been killed while it wrote its third line: the snapshot knows the first case only.
  json snapshot = whole;
  snapshot["cases"].erase(1);
  snapshot["cases"].erase(1);
  snapshot["summary"]["passed"] = 1;
  snapshot["run"]["finished"] = "";
  write(folder / "r.json", snapshot.dump());
  const std::string journal = read(folder / "r.json.journal");
  const std::size_t second = journal.find('\n', journal.find('\n') + 1) + 1;
  write(folder / "r.json.journal", journal.substr(0, second + 100));
  std::vector<std::string> again = words;
  again.push_back("--resume");
  const Result result = verify(again);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("3 cases on "));
  const json resumed = read_json(folder / "r.json");
  EXPECT_EQ(reports::violations(resumed), "");
  EXPECT_EQ(lasting(resumed), lasting(whole));
  EXPECT_EQ(resumed["run"]["id"], whole["run"]["id"]);
  EXPECT_EQ(resumed["run"]["started"], whole["run"]["started"]);
  EXPECT_EQ(hdf5_contents(folder / "r.h5"), contents);
  const std::string now = read(folder / "r.json.journal");
  EXPECT_EQ(now.substr(0, second), journal.substr(0, second)) << "what was finished is not repeated";
  EXPECT_EQ(std::ranges::count(now, '\n'), 3);
}

}  // namespace
}  // namespace quadpair::cli
