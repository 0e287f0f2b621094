#include "kernels/tools/sources.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace quadpair::tools {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return text;
}

const std::string virtual_root = "/quadpair/";

/// Rewrites quoted includes to virtual names and appends the included files, relative to the root, to
/// `names`.
std::string with_virtual_includes(std::string text, std::vector<std::string>& names) {
  static const RE2 include(R"re((?m)^([ \t]*#[ \t]*include[ \t]*")([^"]+)")re");
  std::string start, name;
  for (re2::StringPiece rest(text); RE2::FindAndConsume(&rest, include, &start, &name);)
    names.push_back(name);
  RE2::GlobalReplace(&text, include, "\\1" + virtual_root + "\\2\"");
  return text;
}

}  // namespace

Sources read_sources(const std::filesystem::path& root, const std::string& source) {
  std::vector<std::string> wanted;
  Sources sources{
      virtual_root + source, with_virtual_includes(read_file(root / source), wanted), {}, {root / source}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string file = wanted[i];
    if (std::find(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(i), file) !=
        wanted.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    sources.files.push_back(root / file);
    std::string text = with_virtual_includes(read_file(root / file), wanted);
    sources.headers.push_back({virtual_root + file, std::move(text)});
  }
  return sources;
}

}  // namespace quadpair::tools
