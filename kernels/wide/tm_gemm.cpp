#include "kernels/wide/tm_gemm.hpp"

#include "kernels/common/check.hpp"
#include "kernels/common/fused_steps.hpp"
#include "kernels/qpn2/layout.hpp"
#include "kernels/wide/entry.hpp"
#include "kernels/wide/shared_memory.hpp"

namespace quadpair::wide {
namespace {

std::string operator_name(Scales kind) {
  return kind == Scales::compact ? "tm_gemm_compact" : "tm_gemm_persistent";
}

}  // namespace

std::optional<std::string> why_refused(std::uint32_t n, std::uint32_t k, Tuning tuning, Target target) {
  if (n == 0) return "N=0: no output features";
  if (k == 0 || k % 64 != 0) return "K=" + std::to_string(k) + ": not a positive multiple of 64";
  if (find_entry(find_module("wide/tm_gemm", target), operator_name(Scales::persistent), tuning) == nullptr)
    return "no kernel for " + std::string(quadpair::to_string(target)) + " computes tiles " +
           to_string(tuning);
  return std::nullopt;
}

AccumulationPlan accumulation_plan(std::uint32_t k, Tuning tuning, Target target) {
  if (const auto reason = why_refused(1, k, tuning, target)) throw Refused(*reason);
  return plan_of(k, 1, tuning.slices, target);
}

std::vector<Launch> tm_gemm(const TmGemmArguments& arguments, Tuning tuning, Target target) {
  const TmGemmArguments& a = arguments;
  const std::string who = "tm_gemm: ";
  if (const auto reason = why_refused(a.n, a.k, tuning, target)) throw Refused(who + *reason);
  if (a.m == 0) return {};
  require(a.codes != 0 && a.codes % 16 == 0, who + "codes are null or not 16-byte aligned");
  require(a.scales != 0 && a.scales % 16 == 0, who + "scales are null or not 16-byte aligned");
  if (a.kind == Scales::compact) {
    const std::uint32_t tiles = qpn2::pad_to_tile(a.n) / qpn2::tile_columns;
    if (const auto reason = quadpair::why_refused(a.globals, tiles)) throw Refused(who + *reason);
  }
  require_activations(who, {a.m, a.n, a.k, a.x, a.ldx, a.y, a.ldy});

  const Module& module = find_module("wide/tm_gemm", target);
  const std::uint32_t shared_bytes =
      tuning.wgmma
          ? WarpgroupShape{tuning.rows, tuning.columns}.bytes()
          : BlockShape{tuning.rows, tuning.columns, tuning.slices, false, target != Target::sm70}.bytes();
  Launch launch =
      launch_over(module, *find_entry(module, operator_name(a.kind), tuning), tuning, shared_bytes, a.m, a.n);
  launch.arguments.add(a.codes)
      .add(a.scales)
      .add(a.globals)
      .add(a.x)
      .add(a.y)
      .add(a.m)
      .add(a.n)
      .add(a.k)
      .add(a.ldx)
      .add(a.ldy);
  return {launch};
}

}  // namespace quadpair::wide
