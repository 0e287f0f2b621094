// Weighted ratios of all runs, with M down and what was compared across.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/collection.hpp"

namespace quadpair::reports {

/// Refers to the collection's records.
struct WeightedTable {
  std::vector<std::string> names;  ///< of the columns, with the run's label where there are several
  std::map<std::uint32_t, std::map<std::size_t, const WeightedRecord*>> rows;  ///< by M, then by column
};

WeightedTable weighted_table(const Collection& collection);

/// "1.351", "–" for nothing.
std::string ratio_text(const std::optional<double>& ratio);

/// "1.349–1.355", "–" for nothing.
std::string interval_text(const std::optional<double>& low, const std::optional<double>& high);

/// "5.319 µs", or a count, "–" for nothing.
std::string median_text(const TimingRecord& timing, const std::optional<double>& median);

/// "50.9 %", "–" for nothing.
std::string percent_text(const std::optional<double>& fraction);

/// "21 comparisons: 3 faster, 18 slower".
std::string comparisons_text(const Collection& collection);

}  // namespace quadpair::reports
