#include "harness/device/emulator/observe/findings.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace quadpair::emulator {

void Findings::merge(const Findings& other) {
  for (const auto& [key, found] : other.found_) {
    Found& mine = found_[key];
    if (mine.times == 0 || found.block < mine.block) {
      mine.block = found.block;
      mine.text = found.text;
    }
    mine.times += found.times;
  }
}

std::string Findings::text(std::uint64_t last_block) const {
  constexpr std::size_t most = 16;
  std::vector<const Found*> shown;
  std::uint64_t times = 0;
  for (const auto& [key, found] : found_)
    if (found.block <= last_block) shown.push_back(&found), times += found.times;
  std::ranges::stable_sort(shown, {}, &Found::block);
  if (shown.empty()) return "";
  if (times == 1) return shown[0]->text;
  std::string text =
      fmt::format("{} faults at {} instruction{}", times, shown.size(), shown.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(shown.size(), most); ++i)
    text += fmt::format("\n  {}{}", shown[i]->text,
                        shown[i]->times == 1 ? "" : fmt::format(" ({} times)", shown[i]->times));
  if (shown.size() > most) text += fmt::format("\n  and {} more", shown.size() - most);
  return text;
}

}  // namespace quadpair::emulator
