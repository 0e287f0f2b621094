#include "harness/probe/match.hpp"

#include <span>

namespace quadpair::probe {
namespace {

/// A model has the width if it defines the instruction with that many products.
bool has_width(reference::Model model, std::size_t width) {
  for (const MmaShape shape : all_mma_shapes)
    if (products(shape) == width) return defines(model, shape);
  return false;
}

}  // namespace

std::vector<Match> match(const cases::MeasuredRows& rows) {
  std::vector<Match> matches;
  for (const reference::Model model : reference::all_models) {
    if (!has_width(model, rows.width)) continue;
    Match m{model, rows.rows.size(), 0, std::nullopt};
    for (const cases::MeasuredRow& row : rows.rows) {
      const auto a = std::span(row.a).first(rows.width), b = std::span(row.b).first(rows.width);
      const std::uint32_t expected = fused_sum(model, a, b, row.c);
      if (expected == row.d)
        ++m.matched;
      else if (!m.first)
        m.first = Mismatch{row, expected};
    }
    matches.push_back(m);
  }
  return matches;
}

std::vector<reference::Model> explaining(const std::vector<Match>& matches) {
  std::vector<reference::Model> models;
  for (const Match& m : matches)
    if (m.explains()) models.push_back(m.model);
  return models;
}

}  // namespace quadpair::probe
