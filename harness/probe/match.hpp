// Which models explain rows of sums.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/measured_rows.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::probe {

/// A row whose measured d is not the model's.
struct Mismatch {
  cases::MeasuredRow row;
  std::uint32_t expected = 0;  ///< the model's d
};

struct Match {
  reference::Model model{};
  std::uint64_t rows = 0, matched = 0;
  std::optional<Mismatch> first;  ///< mismatch, where there is one
  bool explains() const { return rows != 0 && matched == rows; }
};

/// The rows against every model that has their width, in the order of reference::all_models.
std::vector<Match> match(const cases::MeasuredRows& rows);

/// The models that explain every row.
std::vector<reference::Model> explaining(const std::vector<Match>& matches);

}  // namespace quadpair::probe
