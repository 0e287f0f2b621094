// The files that a command is told to read and write.
#pragma once

#include <string>
#include <vector>

namespace quadpair::cli {

/// What an option says about a file: "--json", "r.json". An empty path stands for an option that is not
/// given.
struct NamedFile {
  std::string option, path;
};

/// For CLI::Option::check: a complaint about a file without a name.
std::string not_empty(const std::string& path);

/// Throws Error(usage) when two of the files are the same one, also by way of links or "./": a report would
/// then destroy another, or the input.
void require_distinct(const std::vector<NamedFile>& files);

/// How a report names the other file: relative to its own folder, so that both can be moved together. Empty
/// when either is.
std::string beside(const std::string& report, const std::string& other);

}  // namespace quadpair::cli
