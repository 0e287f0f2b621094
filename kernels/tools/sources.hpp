// A device source file and the headers it includes, under the virtual names that the compiler is shown:
// "/quadpair/" and the path relative to the root. Quoted includes are rewritten to these absolute names,
// since NVRTC puts the current folder before relative ones, and so into the line information.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quadpair::tools {

struct Header {
  std::string name;  ///< virtual
  std::string text;
};

struct Sources {
  std::string name;  ///< virtual
  std::string text;
  std::vector<Header> headers;               ///< every header reached, in the order found
  std::vector<std::filesystem::path> files;  ///< all files read, for dependency tracking
};

/// Reads `source` (relative to `root`) and, transitively, what it includes in quotes. Throws
/// std::runtime_error naming the file that cannot be read.
Sources read_sources(const std::filesystem::path& root, const std::string& source);

}  // namespace quadpair::tools
