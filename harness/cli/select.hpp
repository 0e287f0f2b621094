// Which cases of a suite a command works on.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "cases/suite.hpp"

namespace CLI {
class App;
}

namespace quadpair::cli {

struct Selection {
  std::string suite = "default";
  std::string cases_file;  ///< instead of the suite
  std::string filter;      ///< regular expression in the syntax of RE2, found anywhere in the id; empty: all
  std::string rows;        ///< M as "1,8,16-18"; empty: all
  std::string model;       ///< empty: all
};

/// Adds --filter, checked when the command line is read.
void add_filter(CLI::App& command, std::string& filter);

/// Adds --suite, --cases, --filter, --m and --model, each checked when the command line is read.
void add_selection(CLI::App& command, Selection& selection);

/// The words that name the suite or the file of cases on a command line.
std::vector<std::string> suite_words(const Selection& selection);

/// The values of a list like "1,8,16-18". Throws std::invalid_argument saying what is wrong.
std::set<std::uint32_t> parse_numbers(const std::string& list);

/// Leaves only the cases that filter and model select.
void narrow(cases::Suite& suite, const Selection& selection);

/// The suite's name and the cases that are left. Throws cases::DataError.
cases::Suite select(const Selection& selection);

}  // namespace quadpair::cli
