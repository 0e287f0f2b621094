#include "harness/bench/weighted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace quadpair::bench {
namespace {

struct Calls {
  std::string_view slice;
  double calls;  ///< by one pass through the model
};

/// The production model.
constexpr std::array projections = {Calls{"gdn_in", 48}, Calls{"gdn_out", 48},     Calls{"attn_qkv", 16},
                                    Calls{"attn_o", 16}, Calls{"mlp_gate_up", 64}, Calls{"mlp_down", 64}};

using Chosen = std::vector<std::pair<const Comparison*, double>>;  ///< with calls

/// A name of weighted records, the operator that all projections go through, and the one that gate and up do.
struct Combination {
  std::string_view name, operation, gate_up_operation;
};

constexpr Combination combinations[] = {
    {"projections", "qpn2_gemm", "qpn2_gemm"},
    {"projections-gated", "qpn2_gemm", "qpn2_gated"},
    {"dispatch", "qpn2_dispatch", "qpn2_dispatch"},
    {"dispatch-gated", "qpn2_dispatch", "qpn2_dispatch_gated"},
    {"tm_gemm", "tm_gemm", "tm_gemm"},
    {"dense_prefill", "dense_prefill", "dense_prefill"},
};

/// A slice of a sharded model in two: "gdn_in" and "@r3". Other slices have no second part.
std::pair<std::string_view, std::string_view> split_rank(std::string_view slice) {
  const std::size_t at = std::min(slice.find('@'), slice.size());
  return {slice.substr(0, at), slice.substr(at)};
}

/// The comparison of that operator and slice, if there is exactly one.
const Comparison* only(const std::vector<Weighed>& group, std::string_view operation,
                       std::string_view slice) {
  const Comparison* found = nullptr;
  for (const Weighed& w : group) {
    if (w.c.operation != operation || split_rank(w.c.slice).first != slice) continue;
    if (found != nullptr) return nullptr;
    found = &w.comparison;
  }
  return found;
}

std::optional<Chosen> choose(const std::vector<Weighed>& group, const Combination& combination) {
  Chosen chosen;
  for (const Calls& projection : projections) {
    const bool gate_up = projection.slice == "mlp_gate_up";
    const Comparison* c =
        only(group, gate_up ? combination.gate_up_operation : combination.operation, projection.slice);
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
  using Key = std::tuple<std::uint32_t, std::string, std::string>;
  std::map<Key, std::vector<Weighed>> groups;
  for (const Weighed& w : measured) {
    std::string layout = w.c.layout == "dual" ? "" : w.c.layout + "/";
    if (w.c.library) layout += "cublas/";
    groups[{w.c.m, std::string(split_rank(w.c.slice).second),
            fmt::format("{}/{}/{}{}{}", w.c.target, w.c.model, layout, w.comparison.record.control,
                        w.comparison.early_start ? "/early-start" : "")}]
        .push_back(w);
  }

  std::vector<reports::WeightedRecord> records;
  for (const auto& [key, group] : groups)
    for (const Combination& combination : combinations)
      if (const auto chosen = choose(group, combination)) {
        const auto& [m, rank, rest] = key;
        const timing::Interval ratio = ratio_of(*chosen, bootstrap);
        records.push_back(
            {m, fmt::format("{}{}/{}", combination.name, rank, rest), ratio.ratio, ratio.low, ratio.high});
      }
  return records;
}

}  // namespace quadpair::bench
