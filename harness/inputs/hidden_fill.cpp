#include <cmath>

#include "harness/inputs/fills.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::inputs {
namespace {

/// Adds `strength` times a vocabulary row, normalised to a mean square of 1.
void pull_towards(const cases::HeadMatrix& head, std::uint64_t id, float strength, std::vector<float>& x) {
  const std::uint16_t* const row = head.weights.data() + id * head.k;
  float squares = 0;
  for (std::uint32_t k = 0; k < head.k; ++k)
    squares += reference::to_float(row[k]) * reference::to_float(row[k]);
  if (squares == 0) return;
  const float scale = strength / std::sqrt(squares / static_cast<float>(head.k));
  for (std::uint32_t k = 0; k < head.k; ++k) x[k] += scale * reference::to_float(row[k]);
}

}  // namespace

std::vector<std::uint16_t> fill_hidden(const cases::HeadMatrix& head, std::uint32_t m,
                                       const cases::RandomStream& stream) {
  const cases::RandomStream pulls = stream.child(1);
  std::vector<std::uint16_t> rows;
  std::vector<float> x(head.k);
  for (std::uint32_t row = 0; row < m; ++row) {
    for (std::uint32_t k = 0; k < head.k; ++k) x[k] = draw_normal(stream, std::uint64_t{row} * head.k + k);
    float strength = 0.5F * static_cast<float>(pulls(8 * row) >> 40) * 0x1p-24F;
    for (std::uint64_t i = 1; i <= 4; ++i, strength /= 2)
      pull_towards(head, pulls(std::uint64_t{8} * row + i) % head.n, strength, x);
    for (const float value : x) rows.push_back(reference::to_half(value));
  }
  return rows;
}

}  // namespace quadpair::inputs
