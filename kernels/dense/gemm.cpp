#include "kernels/common/check.hpp"
#include "kernels/common/fused_steps.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/dense/warpgroup_shape.hpp"
#include "kernels/wide/entry.hpp"
#include "kernels/wide/tuning_rule.hpp"

namespace quadpair::dense {

AccumulationPlan accumulation_plan(std::uint32_t k, Target target) {
  if (k == 0 || k % 64 != 0) throw Refused("K=" + std::to_string(k) + ": not a positive multiple of 64");
  return target == Target::sm90 ? plan_of_warpgroups(k) : plan_of(k, 1, 1, target);
}

wide::Tuning tuned(std::uint32_t m, std::uint32_t n, std::uint32_t k, Target target) {
  if (target == Target::sm70) return {64, 128, 1};
  constexpr wide::MeasuredTile warpgroups[] = {
      {{128, 192, 1, true}, 690}, {{256, 128, 1, true}, 880}, {{256, 160, 1, true}, 1040}};
  if (target == Target::sm90) return wide::best_tile(warpgroups, m, n, k);
  constexpr wide::MeasuredTile native[] = {
      {{128, 128, 1}, 960, 1400}, {{128, 256, 1}, 1430}, {{96, 128, 1}, 660, 1100}, {{128, 64, 1}, 600, 830}};
  return wide::best_tile(native, m, n, k);
}

std::vector<Launch> gemm(const GemmArguments& arguments, wide::Tuning tuning, Target target) {
  const GemmArguments& a = arguments;
  const std::string who = "dense gemm: ";
  require(a.n != 0, who + "N=0: no output features");
  require(a.k != 0 && a.k % 64 == 0, who + "K=" + std::to_string(a.k) + ": not a positive multiple of 64");
  const Module& module = find_module("dense/gemm", target);
  const KernelInfo* kernel = wide::find_entry(module, "dense_gemm", tuning);
  require(kernel != nullptr, who + "no kernel for " + std::string(to_string(target)) + " computes tiles " +
                                 wide::to_string(tuning));
  if (a.m == 0) return {};
  require(a.w != 0 && a.w % 16 == 0, who + "w is null or not 16-byte aligned");
  wide::require_activations(who, {a.m, a.n, a.k, a.x, a.ldx, a.y, a.ldy});

  const std::uint32_t shared_bytes =
      tuning.wgmma ? WarpgroupShape{tuning.rows, tuning.columns}.bytes()
                   : wide::BlockShape{tuning.rows, tuning.columns, 1, true, target != Target::sm70}.bytes();
  Launch launch = wide::launch_over(module, *kernel, tuning, shared_bytes, a.m, a.n);
  launch.arguments.add(a.x).add(a.w).add(a.y).add(a.m).add(a.n).add(a.k).add(a.ldx).add(a.ldy);
  return {launch};
}

}  // namespace quadpair::dense
