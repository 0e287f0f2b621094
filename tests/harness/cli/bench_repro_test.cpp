// The command that a benchmark's record gives to repeat its case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "tests/harness/cli/clocked_device.hpp"
#include "tests/harness/cli/support.hpp"

namespace quadpair::cli {
namespace {

using nlohmann::json;

const std::string one_case = "^qpn2_gemm/minilm\\.0\\.o/m9/.*/s8\\.c2/sm90/";

/// The words of a command as a shell takes them; of quoting it has just '...' around whole words.
std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream text(command);
  for (std::string word; text >> word;) {
    if (word.starts_with("'")) word = word.substr(1, word.size() - 2);
    words.push_back(word);
  }
  return words;
}

/// Each option of bench that changes what is measured, and a way to give it.
const std::map<std::string, std::vector<std::string>> measured_options{
    {"--suite", {"--suite", "default"}},
    {"--device", {"--device", "cuda:1"}},
    {"--control", {"--control", "s16.c1"}},
    {"--early-start", {"--early-start"}},
    {"--hot", {"--hot"}},
    {"--working-set", {"--working-set", "5"}},
    {"--seed", {"--seed", "7"}}};

TEST(BenchRepro, EveryOptionChangesWhatIsMeasuredOrIsKnownNotTo) {
  // The case that --filter, --m and --model choose is named by its id.
  const std::set<std::string> others{"--cases",   "--filter", "--m",    "--model", "--max-ratio",
                                     "--timeout", "--json",   "--hdf5", "--quiet", "--help"};
  const std::string help = call({"bench", "--help"}).out;
  std::set<std::string> found;
  std::istringstream words(help.substr(0, help.find("Examples:")));
  for (std::string word; words >> word;)
    if (const std::size_t at = word.find("--"); at == 0 || word.starts_with("-h,"))
      found.insert(word.substr(word.find("--"), word.find_last_not_of(",.;:)") + 1 - word.find("--")));
  for (const std::string& option : found)
    EXPECT_TRUE(others.contains(option) || measured_options.contains(option)) << option;
  for (const auto& [option, words_given] : measured_options) EXPECT_TRUE(found.contains(option)) << option;
}

TEST(BenchRepro, TheReproCommandMeasuresTheSame) {
  const Folder folder;
  const Script times{.seconds = [](const std::string& entry, unsigned) {
    return entry.ends_with(", early start") ? 1.1e-6 : entry.starts_with("qpn2") ? 1.3e-6 : 1e-6;
  }};
  const auto measured = [&](const std::vector<std::string>& words) {
    std::ostringstream out, err;
    Environment environment{out, err};
    environment.choose_device = clocked(times);
    environment.build = {.assertions = false, .optimised = true, .sanitised = false};
    EXPECT_EQ(run(words, environment), 0) << err.str() << out.str();
    json report = read_json(folder / "r.json");
    json first = report["cases"].at(0);
    return std::pair(first["repro"].get<std::string>(),
                     json{report["run"]["options"], report["run"]["seed"], report["timings"], first["id"],
                          first["checks"].at(0)["expected_hash"]});
  };
  for (const auto& [option, words] : measured_options) {
    std::vector<std::string> command{"quadpair", "bench", "--filter", one_case, "--json", folder / "r.json"};
    command.insert(command.end(), words.begin(), words.end());
    const auto [repro, result] = measured(command);
    for (const std::string& word : words) EXPECT_THAT(shell_words(repro), testing::Contains(word)) << repro;
    std::vector<std::string> again = shell_words(repro);
    again.insert(again.end(), {"--json", folder / "r.json"});
    const auto [repro_again, result_again] = measured(again);
    EXPECT_EQ(repro_again, repro) << option;
    EXPECT_EQ(result_again, result) << option;
  }
}

}  // namespace
}  // namespace quadpair::cli
