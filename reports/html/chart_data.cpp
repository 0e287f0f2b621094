#include "reports/html/chart_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/cost_summary.hpp"
#include "reports/ledger_table.hpp"
#include "reports/ratios.hpp"
#include "reports/text.hpp"

namespace quadpair::reports::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_comparisons = 500, most_samples = 60'000;

Json point(std::uint32_t m, double ratio, double low, double high) {
  return {{"m", m}, {"ratio", ratio}, {"low", low}, {"high", high}};
}

Json weighted_data(const Collection& collection) {
  const WeightedTable table = weighted_table(collection);
  Json series = Json::array();
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    Json points = Json::array();
    for (const auto& [m, columns] : table.rows)
      if (const auto found = columns.find(c); found != columns.end())
        points.push_back(point(m, found->second->ratio, found->second->ratio_low, found->second->ratio_high));
    series.push_back({{"name", table.names[c]}, {"points", points}});
  }
  return series;
}

/// The cases that were timed, with the runs that did.
struct Timed {
  std::string label;  ///< of the run
  const TimingRecord* timing;
  const CaseRecord* record;
};

std::vector<Timed> timed_cases(const Collection& collection) {
  std::vector<Timed> timed;
  for (std::size_t run = 0; run < collection.runs.size(); ++run) {
    const Report& report = collection.runs[run].value;
    std::map<std::string_view, const CaseRecord*> cases;
    for (const CaseRecord& record : report.cases) cases.emplace(record.id, &record);
    for (const TimingRecord& timing : report.timings)
      if (const auto found = cases.find(timing.id); found != cases.end() && timed.size() < most_comparisons)
        timed.push_back({run_label(collection, run), &timing, found->second});
  }
  return timed;
}

/// Cases that differ in M alone make one series.
Json comparison_data(const std::vector<Timed>& timed) {
  std::map<std::string, Json> series;
  for (const auto& [label, timing, record] : timed) {
    if (!timing->ratio || !timing->ratio_low || !timing->ratio_high) continue;
    std::string name =
        fmt::format("{} {} {} / {}", record->operation, record->slice.name, record->layout, timing->control);
    if (!label.empty()) name += fmt::format(" ({})", label);
    Json& points = series.emplace(name, Json::array()).first->second;
    points.push_back(point(record->shape.m, *timing->ratio, *timing->ratio_low, *timing->ratio_high));
  }
  Json json = Json::array();
  for (const auto& [name, points] : series) json.push_back({{"name", name}, {"points", points}});
  return json;
}

/// The lowest and highest A/A ratio: differences that are none.
Json noise_data(const std::vector<Timed>& timed) {
  std::optional<double> low, high;
  for (const Timed& t : timed) {
    const auto& aa = t.timing->aa_ratio;
    if (!aa) continue;
    low = std::min(low.value_or(*aa), *aa);
    high = std::max(high.value_or(*aa), *aa);
  }
  return low ? Json{{"low", *low}, {"high", *high}} : Json();
}

Json roofline_data(const std::vector<Timed>& timed) {
  Json points = Json::array();
  std::set<double> ceilings;
  for (const auto& [label, timing, record] : timed) {
    if (timing->unit != "seconds" || !timing->candidate_median || timing->bytes == 0) continue;
    const Shape& s = record->shape;
    const double operations = 2.0 * s.m * s.n * s.k;
    if (operations == 0) continue;
    points.push_back({{"id", record->id},
                      {"m", s.m},
                      {"intensity", operations / static_cast<double>(timing->bytes)},
                      {"rate", operations / *timing->candidate_median}});
    if (timing->ceiling) ceilings.insert(*timing->ceiling);
  }
  return {{"points", points}, {"ceilings", ceilings}};
}

Json samples_data(const Collection& collection) {
  Json json = Json::array();
  std::size_t total = 0;
  for (const auto& [file, run] : collection.samples)
    for (const CaseSamples& c : run.cases) {
      total += c.samples.size();
      if (total > most_samples) return json;
      Json samples = Json::array();
      for (const SampleRow& s : c.samples) samples.push_back({s.side, s.seconds, s.counted});
      json.push_back({{"id", collection.samples.size() > 1 ? fmt::format("{} ({})", c.id, file) : c.id},
                      {"samples", samples}});
    }
  return json;
}

Json cost_data(const Collection& collection) {
  std::vector<CostSum> sums = cost_sums(collection);
  std::erase_if(sums, [](const CostSum& sum) { return sum.multiply_adds == 0; });
  Json rows = Json::array(), kinds = Json::array();
  for (const CostSum& sum : sums) rows.push_back(to_string(sum.key));
  for (const std::string& kind : kinds_of(sums)) {
    Json values = Json::array();
    for (const CostSum& sum : sums) {
      const auto found = sum.warp_instructions.find(kind);
      values.push_back(sum.per_kilo(found == sum.warp_instructions.end() ? 0 : found->second).value_or(0));
    }
    kinds.push_back({{"name", kind}, {"values", values}});
  }
  return {{"rows", rows}, {"kinds", kinds}};
}

Json storage_data(const Collection& collection) {
  Json json = Json::array();
  for (const auto& [file, ledger] : ledgers_of(collection)) {
    const LedgerTable table = ledger_table(ledger);
    Json items = Json::array();
    for (const LedgerTable::Row& row : table.rows)
      if (&row != &table.rows.back()) items.push_back({{"name", row.name}, {"bytes", row.bytes}});
    json.push_back({{"name", fmt::format("{}, {}", file, counted(ledger.tp, "rank"))},
                    {"policies", table.policies},
                    {"items", items}});
  }
  return json;
}

}  // namespace

Json chart_data(const Collection& collection) {
  const std::vector<Timed> timed = timed_cases(collection);
  return {{"weighted", weighted_data(collection)},
          {"comparisons", comparison_data(timed)},
          {"noise", noise_data(timed)},
          {"samples", samples_data(collection)},
          {"roofline", roofline_data(timed)},
          {"cost", cost_data(collection)},
          {"storage", storage_data(collection)}};
}

std::string script_text(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

}  // namespace quadpair::reports::html
