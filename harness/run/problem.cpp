#include "harness/run/problem.hpp"

#include <fmt/format.h>

#include <optional>

#include "kernels/common/error.hpp"

namespace quadpair::run {
namespace {

template <class T>
T known(const std::optional<T>& value, const cases::Case& c, std::string_view what, const std::string& name) {
  if (!value) throw cases::DataError(fmt::format("case {}: unknown {} \"{}\"", c.id, what, name));
  return *value;
}

std::optional<bool> gated_from_string(std::string_view operation) {
  if (operation == "qpn2_gemm") return false;
  if (operation == "qpn2_gated") return true;
  return std::nullopt;
}

qpn2::Tuning tuning_of(const cases::Case& c, const Problem& p) {
  qpn2::Tuning tuning{c.split_k, c.chains};
  if (c.split_k != 0 && c.chains != 0) return tuning;
  const qpn2::Tuning tuned = qpn2::tuned(p.k, p.padded_n, p.target, p.gated);
  if (c.split_k == 0) tuning.split_k = tuned.split_k;
  if (c.chains == 0) tuning.chains = tuned.chains;
  return tuning;
}

}  // namespace

Problem make_problem(const cases::Case& c, const cases::QuantizedMatrix& weights) {
  Problem p{};
  p.gated = known(gated_from_string(c.operation), c, "operator", c.operation);
  p.target = known(target_from_string(c.target), c, "target", c.target);
  p.model = known(reference::model_from_string(c.model), c, "model", c.model);
  if (c.layout != "dual")
    throw cases::DataError(fmt::format("case {}: unknown layout \"{}\"", c.id, c.layout));
  p.m = c.m;
  p.n = weights.n;
  p.k = weights.k;
  p.padded_n = p.gated ? qpn2::pad_gated(p.n) : qpn2::pad_to_tile(p.n);
  p.ldx = p.k + c.ldx_extra;
  p.ldy = p.columns() + c.ldy_extra;
  p.tuning = tuning_of(c, p);
  if (const auto why = qpn2::why_refused(p.m, p.n, p.k, p.tuning, p.target, p.gated)) throw Refused(*why);
  p.plan = qpn2::accumulation_plan(p.k, p.tuning, p.target);
  if (!reference::defines(p.model, p.plan.mma))
    throw cases::DataError(fmt::format("case {}: model {} does not define {}, which target {} uses", c.id,
                                       c.model, to_string(p.plan.mma), c.target));
  return p;
}

std::vector<Launch> launches(const Problem& problem, const qpn2::GemmArguments& arguments) {
  return problem.gated ? qpn2::gated(arguments, problem.tuning, problem.target)
                       : qpn2::gemm(arguments, problem.tuning, problem.target);
}

qpn2::GemmArguments arguments_of(const Problem& problem) {
  qpn2::GemmArguments arguments;
  arguments.m = problem.m;
  arguments.n = problem.n;
  arguments.k = problem.k;
  arguments.ldx = problem.ldx;
  arguments.ldy = problem.ldy;
  return arguments;
}

}  // namespace quadpair::run
