#include "harness/cli/shard.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>

#include "harness/cli/exit_status.hpp"
#include "harness/cli/results.hpp"
#include "harness/run/deal.hpp"

namespace quadpair::cli {
namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
  return std::nullopt;
}

std::optional<reports::Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = number(text.substr(0, slash)), of = number(text.substr(slash + 1));
  if (!index || !of || *index < 1 || *index > *of) return std::nullopt;
  return reports::Shard{*index, *of};
}

}  // namespace

void add_shard(CLI::App& command, reports::Shard& shard) {
  command
      .add_option_function<std::string>(
          "--shard", [&shard](const std::string& text) { shard = parse_shard(text).value(); },
          "only the I-th of N parts of the suite, I from 1 to N; `quadpair merge` puts them together")
      ->check([](const std::string& text) -> std::string {
        if (parse_shard(text)) return "";
        return fmt::format("\"{}\" is no shard; write I/N with I from 1 to N, e.g. 1/4", text);
      })
      ->type_name("I/N");
}

std::vector<std::size_t> places_of(const cases::Suite& suite, const reports::Shard& shard) {
  if (shard.of > suite.cases.size())
    throw Error(Exit::usage, fmt::format("--shard {}/{}: suite {} has only {}", shard.index, shard.of,
                                         suite.name, counted(suite.cases.size())));
  std::vector<std::uint64_t> costs;
  for (const cases::Case& c : suite.cases) costs.push_back(run::estimated_cost(c, *suite.slices));
  const std::vector<std::uint32_t> dealt = run::deal(costs, shard.of);
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < dealt.size(); ++place)
    if (dealt[place] + 1 == shard.index) places.push_back(place);
  return places;
}

}  // namespace quadpair::cli
