#include "kernels/common/global_parts.hpp"

#include <cmath>

#include "kernels/common/check.hpp"

namespace quadpair {

GlobalParts global_parts(std::span<const float> globals, std::uint32_t tiles) {
  require(tiles != 0, "global scales: no tiles");
  require(globals.size() == 1 || globals.size() == tiles,
          std::to_string(globals.size()) + " global scales, not 1 or " + std::to_string(tiles));
  GlobalParts parts;
  std::uint32_t count = 0;
  for (std::uint32_t tile = 0; tile < globals.size(); ++tile) {
    if (tile != 0 && globals[tile] == globals[tile - 1]) continue;
    require(count < GlobalParts::limit,
            "global scales: more than " + std::to_string(GlobalParts::limit) + " parts");
    if (count != 0) parts.end[count - 1] = tile;
    parts.g[count++] = globals[tile];
  }
  for (std::uint32_t i = count - 1; i < GlobalParts::limit; ++i) parts.end[i] = tiles;
  return parts;
}

std::optional<std::string> why_refused(const GlobalParts& parts, std::uint32_t tiles) {
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < GlobalParts::limit; ++i) {
    const std::string part = "part " + std::to_string(i) + " of the global scales ";
    if (parts.end[i] < begin) return part + "ends before it begins";
    if (parts.end[i] > begin && !(parts.g[i] > 0 && std::isfinite(parts.g[i])))
      return part + "is not positive and finite";
    begin = parts.end[i];
  }
  if (begin != tiles)
    return "the global scales end at tile " + std::to_string(begin) + ", not " + std::to_string(tiles);
  return std::nullopt;
}

}  // namespace quadpair
