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

/// For CLI::Option::check: a complaint about a file without a name, or that cannot be written.
std::string can_be_written(const std::string& path);

/// Throws Error(usage) when a file to write is the same as another, or as one that is read, also by way of
/// links or "./": a report would then destroy another, or the input.
void require_distinct(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read = {});

/// How a report names the other file: relative to its own folder, so that both can be moved together. Empty
/// when either is.
std::string beside(const std::string& report, const std::string& other);

}  // namespace quadpair::cli
