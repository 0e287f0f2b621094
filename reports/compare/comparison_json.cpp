#include "reports/compare/comparison_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace quadpair::reports {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json json_of(const RunRecord& run, const std::string& file) {
  return {{"file", file},
          {"id", run.id},
          {"started", run.started},
          {"version", run.version},
          {"revision", run.git.revision},
          {"device", {{"kind", run.device.kind}, {"name", run.device.name}}}};
}

Json json_of(const std::vector<KernelRecord>& kernels) {
  Json json = Json::array();
  for (const KernelRecord& kernel : kernels)
    json.push_back({{"name", kernel.name}, {"target", kernel.target}, {"sha256", kernel.sha256}});
  return json;
}

Json json_of(const std::vector<Amount>& amounts) {
  Json json = Json::array();
  for (const Amount& amount : amounts)
    json.push_back({{"name", amount.name}, {"base", amount.base}, {"new", amount.now}});
  return json;
}

Json json_of(const TimeChange& time) {
  return {{"control", time.control},       {"speed", to_string(time.speed)},  {"ratio", number(time.ratio)},
          {"ratio_low", number(time.low)}, {"ratio_high", number(time.high)}, {"evidence", time.evidence},
          {"reason", time.reason}};
}

Json json_of(const CaseChange& c, bool across) {
  Json times = Json::array();
  for (const TimeChange& time : c.times) times.push_back(json_of(time));
  return {{"id", c.id},
          {"base_id", c.base_id},
          {"across", across},
          {"status", {{"base", to_string(c.base_status)}, {"new", to_string(c.status)}}},
          {"bits", to_string(c.bits)},
          {"differing", c.differing},
          {"kernels", {{"base", json_of(c.base_kernels)}, {"new", json_of(c.kernels)}}},
          {"times", times},
          {"costs", json_of(c.costs)}};
}

Json summary_of(const Comparison& comparison) {
  const auto cases = [&](const auto& is) { return std::ranges::count_if(comparison.cases, is); };
  const auto with_bits = [&](Bits bits) {
    return std::ranges::count(comparison.cases, bits, &CaseChange::bits);
  };
  const auto with_speed = [&](Speed speed) {
    return cases([&](const CaseChange& c) {
      return std::ranges::find(c.times, speed, &TimeChange::speed) != c.times.end();
    });
  };
  return {{"compared", comparison.compared()},
          {"wrong", cases([](const CaseChange& c) { return c.wrong(); })},
          {"bits",
           {{"same", with_bits(Bits::same)},
            {"alarm", with_bits(Bits::alarm)},
            {"other-code", with_bits(Bits::other_code)},
            {"none", with_bits(Bits::none)}}},
          {"times",
           {{"same", with_speed(Speed::same)},
            {"faster", with_speed(Speed::faster)},
            {"slower", with_speed(Speed::slower)},
            {"ambiguous", with_speed(Speed::ambiguous)}}},
          {"costlier", cases([](const CaseChange& c) { return c.costlier(); })},
          {"added", comparison.added.size()},
          {"gone", comparison.gone.size()}};
}

}  // namespace

Json to_json(const Comparison& comparison, const std::string& base_file, const std::string& new_file,
             int exit) {
  Json cases = Json::array();
  for (const CaseChange& c : comparison.cases) cases.push_back(json_of(c, !comparison.across.empty()));
  return {{"schema", "quadpair.comparison/1"},
          {"base", json_of(comparison.base, base_file)},
          {"new", json_of(comparison.now, new_file)},
          {"across", comparison.across},
          {"notes", comparison.notes},
          {"summary", summary_of(comparison)},
          {"cases", cases},
          {"added", comparison.added},
          {"gone", comparison.gone},
          {"ledger", json_of(comparison.ledger)},
          {"exit", exit}};
}

}  // namespace quadpair::reports
