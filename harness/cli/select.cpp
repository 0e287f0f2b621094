#include "harness/cli/select.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <stdexcept>

#include "cases/operators.hpp"
#include "harness/cli/files.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::cli {
namespace {

std::uint32_t number(std::string_view text, const std::string& list) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument(
        fmt::format("\"{}\" in \"{}\" is {}; write 1,8,16-18", text, list,
                    error == std::errc::result_out_of_range ? "too large" : "no number"));
  return value;
}

/// A check of an option's text by a function that throws std::exception when it is wrong.
template <class Parse>
auto checked_by(const Parse& parse) {
  return [parse](const std::string& text) -> std::string {
    try {
      parse(text);
      return "";
    } catch (const std::exception& e) {
      return e.what();
    }
  };
}

/// RE2 searches in time linear in the text, whatever the expression.
std::shared_ptr<const RE2> parse_filter(const std::string& text) {
  auto filter = std::make_shared<const RE2>(text, RE2::Quiet);
  if (!filter->ok())
    throw std::invalid_argument(
        fmt::format("\"{:.100}\" is no regular expression: {:.200}", text, filter->error()));
  return filter;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const reference::Model model : reference::all_models) names.emplace_back(to_string(model));
  return names;
}

}  // namespace

std::vector<std::string> suite_words(const Selection& selection) {
  if (selection.cases_file.empty()) return {"--suite", selection.suite};
  return {"--cases", selection.cases_file};
}

std::set<std::uint32_t> parse_numbers(const std::string& list) {
  constexpr std::uint32_t most = 4096;
  std::set<std::uint32_t> rows;
  std::string_view rest = list;
  while (true) {
    const std::string_view part = rest.substr(0, rest.find(','));
    const std::size_t dash = part.find('-');
    const std::uint32_t first = number(part.substr(0, dash), list);
    const std::uint32_t last = dash == std::string_view::npos ? first : number(part.substr(dash + 1), list);
    if (last < first || last - first > most)
      throw std::invalid_argument(fmt::format("\"{}\" in \"{}\" is no range", part, list));
    for (std::uint64_t m = first; m <= last; ++m) rows.insert(static_cast<std::uint32_t>(m));
    if (part.size() == rest.size()) return rows;
    rest.remove_prefix(part.size() + 1);
  }
}

void add_filter(CLI::App& command, std::string& filter) {
  command.add_option("--filter", filter, "only cases whose id contains a match (RE2 syntax)")
      ->check(checked_by(parse_filter))
      ->type_name("REGEX");
}

void add_selection(CLI::App& command, Selection& selection) {
  auto* suite = command.add_option("--suite", selection.suite, "a built-in suite")
                    ->check(CLI::IsMember(cases::suite_names()))
                    ->capture_default_str();
  command.add_option("--cases", selection.cases_file, "a suite from your own JSON file")
      ->check(not_empty)
      ->excludes(suite)
      ->type_name("FILE");
  add_filter(command, selection.filter);
  command.add_option("--m", selection.rows, "only cases with these numbers of rows, e.g. 1,8,16-18")
      ->check(checked_by(parse_numbers))
      ->type_name("LIST");
  command.add_option("--model", selection.model, "only cases of this tensor-core arithmetic")
      ->check(CLI::IsMember(model_names()));
}

void narrow(cases::Suite& suite, const Selection& selection) {
  const std::shared_ptr<const RE2> filter = parse_filter(selection.filter);
  const std::set<std::uint32_t> rows =
      selection.rows.empty() ? std::set<std::uint32_t>{} : parse_numbers(selection.rows);
  std::erase_if(suite.cases, [&](const cases::Case& c) {
    return (!rows.empty() && !(takes_activations(c) && rows.contains(c.m))) ||
           (!selection.model.empty() && c.model != selection.model) || !RE2::PartialMatch(c.id, *filter);
  });
}

cases::Suite select(const Selection& selection) {
  cases::Suite suite = selection.cases_file.empty() ? cases::load_suite(selection.suite)
                                                    : cases::load_suite_file(selection.cases_file);
  narrow(suite, selection);
  return suite;
}

}  // namespace quadpair::cli
