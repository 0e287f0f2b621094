// The words of a command as execv takes them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace quadpair::cli {

/// A pointer to each word, which must outlive it, then nullptr.
inline std::vector<char*> argument_pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers(words.size() + 1);
  std::ranges::transform(words, pointers.begin(), [](std::string& word) { return word.data(); });
  return pointers;
}

}  // namespace quadpair::cli
