#include "harness/bench/weighted.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace quadpair::bench {
namespace {

struct Calls {
  std::string_view slice;
  double calls;  ///< by one pass through the model
};

/// The production model (spec: "The production shapes").
constexpr std::array projections = {Calls{"gdn_in", 48}, Calls{"gdn_out", 48},     Calls{"attn_qkv", 16},
                                    Calls{"attn_o", 16}, Calls{"mlp_gate_up", 64}, Calls{"mlp_down", 64}};

using Chosen = std::vector<std::pair<const Comparison*, double>>;  ///< with calls

/// The comparison of that operator and slice, if there is exactly one.
const Comparison* only(const std::vector<Weighed>& group, std::string_view operation,
                       std::string_view slice) {
  const Comparison* found = nullptr;
  for (const Weighed& w : group) {
    if (w.c.operation != operation || w.c.slice != slice) continue;
    if (found != nullptr) return nullptr;
    found = &w.comparison;
  }
  return found;
}

std::optional<Chosen> choose(const std::vector<Weighed>& group, std::string_view gate_up_operation) {
  Chosen chosen;
  for (const Calls& projection : projections) {
    const bool gate_up = projection.slice == "mlp_gate_up";
    const Comparison* c = only(group, gate_up ? gate_up_operation : "qpn2_gemm", projection.slice);
    if (c == nullptr || !c->record.ratio) return std::nullopt;
    chosen.emplace_back(c, projection.calls);
  }
  return chosen;
}

timing::Interval ratio_of(const Chosen& chosen, const timing::Bootstrap& bootstrap) {
  double candidate = 0, control = 0;
  std::vector<timing::Projection> timed;
  for (const auto& [comparison, calls] : chosen) {
    timed.push_back({comparison->rounds, calls});
    if (!comparison->counted) continue;
    candidate += calls * static_cast<double>(comparison->counted->candidate);
    control += calls * static_cast<double>(comparison->counted->control);
  }
  if (control == 0) return timing::weighted_ratio(timed, bootstrap);
  const double ratio = candidate / control;
  return {ratio, ratio, ratio};
}

}  // namespace

std::vector<reports::WeightedRecord> weighted(const std::vector<Weighed>& measured,
                                              const timing::Bootstrap& bootstrap) {
  using Key = std::pair<std::uint32_t, std::string>;
  std::map<Key, std::vector<Weighed>> groups;
  for (const Weighed& w : measured)
    groups[{w.c.m, fmt::format("{}/{}/{}{}", w.c.target, w.c.model, w.comparison.record.control,
                               w.comparison.early_start ? "/early-start" : "")}]
        .push_back(w);

  std::vector<reports::WeightedRecord> records;
  for (const auto& [key, group] : groups)
    for (const auto& [name, operation] :
         {std::pair{"projections", "qpn2_gemm"}, std::pair{"projections-gated", "qpn2_gated"}})
      if (const auto chosen = choose(group, operation)) {
        const timing::Interval ratio = ratio_of(*chosen, bootstrap);
        records.push_back(
            {key.first, fmt::format("{}/{}", name, key.second), ratio.ratio, ratio.low, ratio.high});
      }
  return records;
}

}  // namespace quadpair::bench
