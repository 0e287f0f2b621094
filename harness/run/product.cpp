#include "harness/run/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace quadpair::run {
namespace {

/// Those rows of every round, on end: FP16 [rounds . rows, ldx].
std::vector<std::uint16_t> gather(const std::vector<inputs::Inputs>& rounds,
                                  const std::vector<std::uint32_t>& rows) {
  std::vector<std::uint16_t> x;
  for (const inputs::Inputs& round : rounds)
    for (const std::uint32_t row : rows) {
      const auto begin = round.x.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * round.ldx);
      x.insert(x.end(), begin, begin + round.ldx);
    }
  return x;
}

/// Shapes of a product, by value: what the reference needs of a problem.
struct Product {
  std::uint32_t m, ldx;
  bool gated;
  AccumulationPlan plan;
  DecodeRule rule;
  reference::Model model;

  Expected expect(const Matrix& matrix, const std::vector<inputs::Inputs>& rounds) const {
    const reference::GemmMatrix& weights = matrix.decoded(rule);
    std::vector<std::uint16_t> x;
    for (const inputs::Inputs& round : rounds) x.insert(x.end(), round.x.begin(), round.x.end());
    const auto count = static_cast<std::uint32_t>(rounds.size());
    Expected expected;
    expected.y = gated ? weights.gated(x.data(), count * m, ldx, plan, model)
                       : weights.gemm(x.data(), count * m, ldx, plan, model);
    expected.oracle_rows = oracle_rows(m);
    const auto judged = static_cast<std::uint32_t>(expected.oracle_rows.size()) * count;
    if (judged < count * m) x = gather(rounds, expected.oracle_rows);
    expected.oracle = gated ? reference::oracle_gated(weights, x.data(), judged, ldx, plan, model)
                            : reference::oracle_gemm(weights, x.data(), judged, ldx, plan, model);
    return expected;
  }
};

std::vector<std::string_view> reads_of(const Problem& p, DecodeRule rule) {
  if (rule == DecodeRule::qpn8) return {"qpn8_codes", "qpn8_scales"};
  if (rule == DecodeRule::qpn2)
    return {p.policy == StoragePolicy::dual ? "qpn2_codes" : "turbomind_codes", "qpn2_scales"};
  return {"turbomind_codes", p.policy == StoragePolicy::compact ? "qpn2_scales" : "turbomind_scales"};
}

}  // namespace

AccumulationPlan one_chain(std::uint32_t k, MmaShape mma) {
  AccumulationPlan plan;
  plan.mma = mma;
  plan.unit_k = products(mma);
  FusedStep step{0, std::vector<std::uint16_t>(plan.unit_k)};
  std::iota(step.k.begin(), step.k.end(), std::uint16_t{0});
  plan.steps = {step};
  plan.slices = {0, k / plan.unit_k};
  return plan;
}

std::vector<std::uint32_t> oracle_rows(std::uint32_t m) {
  constexpr std::uint32_t most = 64;
  std::vector<std::uint32_t> rows(std::min(m, most));
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    rows[i] = m <= most ? i : static_cast<std::uint32_t>(std::uint64_t{i} * (m - 1) / (most - 1));
  return rows;
}

void set_product(const cases::Case& c, Problem& p, const AccumulationPlan& plan, DecodeRule rule) {
  if (!reference::defines(p.model, plan.mma))
    throw cases::DataError(fmt::format("case {}: model {} does not define {}, which target {} uses", c.id,
                                       c.model, to_string(plan.mma), c.target));
  p.op.plan = plan;
  p.op.rule = rule;
  p.op.reads = reads_of(p, rule);
  p.op.expect = [product = Product{p.m, p.ldx, p.gated(), plan, rule, p.model}](
                    const Matrix& matrix, const std::vector<inputs::Inputs>& rounds) {
    return product.expect(matrix, rounds);
  };
}

}  // namespace quadpair::run
