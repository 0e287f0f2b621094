#include "harness/run/route.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/compare/check.hpp"

namespace quadpair::run {

BufferChecks route_check(std::span<const std::string_view> intended, std::span<const Launch> launches) {
  std::vector<std::string> names;         // of what ran, each once
  std::vector<std::string_view> matched;  // the intended ones among them
  bool stray = false;
  for (const Launch& launch : launches) {
    std::string name = fmt::format("{}:{}", launch.module->name, launch.entry);
    const auto found = std::ranges::find_if(
        intended, [&](std::string_view kernel) { return kernel == launch.module->name || kernel == name; });
    stray = stray || found == intended.end();
    if (found != intended.end() && std::ranges::find(matched, *found) == matched.end())
      matched.push_back(*found);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  const bool good = !stray && std::ranges::equal(matched, intended);
  const std::vector<std::uint8_t> expected(1), actual(1, good ? 0 : 1);
  BufferChecks checked{compare::bitwise("route", expected, actual), ""};
  if (!good)
    checked.note = fmt::format("launched {}, not {}; ", fmt::join(names, " + "), fmt::join(intended, " + "));
  return checked;
}

}  // namespace quadpair::run
