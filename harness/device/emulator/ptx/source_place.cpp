#include "harness/device/emulator/ptx/source_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace quadpair::ptx {

std::string source_place(const std::vector<SourceFile>& files, std::uint32_t file, std::uint32_t line) {
  const auto found = std::ranges::find(files, file, &SourceFile::id);
  if (found == files.end()) return "";
  std::string_view path = found->path;
  constexpr std::string_view root = "/quadpair/";
  if (path.starts_with(root)) path.remove_prefix(root.size());
  return fmt::format("{}:{}", path, line);
}

}  // namespace quadpair::ptx
