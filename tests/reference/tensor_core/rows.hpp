// Files of tensor-core rows: a[K] b[K] as FP16 hex, c and d as FP32 hex, '#' lines are comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace quadpair::test {

struct Row {
  std::vector<std::uint16_t> a, b;
  std::uint32_t c, d;
};

/// The rows of `file` (below tests/data), of `width` products each. Throws std::runtime_error where the file
/// cannot be read or a row is malformed.
inline std::vector<Row> read_rows(const std::string& file, std::size_t width) {
  std::ifstream in(std::string(QUADPAIR_TEST_DATA "/data/") + file);
  if (!in) throw std::runtime_error("cannot read " + file);
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::vector<std::uint32_t> numbers;
    for (std::string word; words >> word;) {
      numbers.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    }
    if (numbers.size() != 2 * width + 2) throw std::runtime_error((file + ": malformed row: ").append(line));
    const auto b = numbers.begin() + static_cast<std::ptrdiff_t>(width);
    const auto c = b + static_cast<std::ptrdiff_t>(width);
    rows.push_back({{numbers.begin(), b}, {b, c}, c[0], c[1]});
  }
  return rows;
}

}  // namespace quadpair::test
