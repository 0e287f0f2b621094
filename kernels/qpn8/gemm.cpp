#include "kernels/qpn8/gemm.hpp"

#include <algorithm>

#include "kernels/common/check.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn8 {
namespace {

constexpr std::uint32_t row_block = 8;

void require_admitted(const GemmArguments& a, Tuning tuning, Target target) {
  const std::string who = "qpn8_gemm: ";
  if (const auto reason = why_refused(a.n, a.k, a.kind, tuning, target)) throw Refused(who + *reason);
  if (a.m == 0) return;  // touches nothing, so needs nothing
  require(a.codes != 0 && a.codes % 16 == 0, who + "codes are null or not 16-byte aligned");
  require(a.scales != 0 && a.scales % 2 == 0, who + "scales are null or not 2-byte aligned");
  require(a.x != 0 && a.x % 16 == 0, who + "x is null or not 16-byte aligned");
  require(a.y != 0 && a.y % 2 == 0, who + "y is null or not 2-byte aligned");
  require(a.ldx >= a.k, who + "ldx=" + std::to_string(a.ldx) + " is less than K=" + std::to_string(a.k));
  require(a.ldx % 8 == 0,
          who + "ldx=" + std::to_string(a.ldx) + " is not a multiple of 8: rows must be 16-byte aligned");
  require(a.ldy >= a.n, who + "ldy=" + std::to_string(a.ldy) + " is less than N=" + std::to_string(a.n));
}

/// Rows [first, first + count).
Launch launch_of(const GemmArguments& a, std::uint32_t first, std::uint32_t count, Tuning tuning,
                 Target target) {
  const std::uint32_t row_blocks = count > row_block && tuning.split_k != 32 ? 2 : 1;
  const std::uint32_t rows = row_blocks * row_block;
  Launch launch;
  launch.module = &find_module("qpn8/gemm", target);
  launch.entry = a.kind == ScaleKind::channel ? "qpn8_gemm_channel_s" : "qpn8_gemm_block_s";
  launch.entry.append(std::to_string(tuning.split_k)).append("_c").append(std::to_string(tuning.chains));
  launch.entry.append("_r").append(std::to_string(row_blocks));
  launch.grid = {qpn2::pad_to_tile(a.n) / qpn2::tile_columns, (count + rows - 1) / rows, 1};
  launch.block = {tuning.split_k * 32, 1, 1};
  launch.arguments.add(a.codes)
      .add(a.scales)
      .add(a.x + std::uint64_t{first} * a.ldx * 2)
      .add(a.y + std::uint64_t{first} * a.ldy * 2)
      .add(count)
      .add(a.n)
      .add(a.k)
      .add(a.ldx)
      .add(a.ldy);
  return launch;
}

}  // namespace

std::optional<std::string> why_refused(std::uint32_t n, std::uint32_t k, ScaleKind kind, Tuning tuning,
                                       Target target) {
  const std::uint32_t s = tuning.split_k;
  if (s != 8 && s != 16 && s != 32) return "S=" + std::to_string(s) + ": not 8, 16 or 32";
  if (auto reason = qpn2::why_refused(0, n, k, tuning, target, false)) return reason;
  if (kind == ScaleKind::block && k % scale_block != 0)
    return "K=" + std::to_string(k) + ": not a multiple of the 128 of a scale's block";
  return std::nullopt;
}

AccumulationPlan accumulation_plan(std::uint32_t k, Tuning tuning, Target target) {
  if (const auto reason = why_refused(1, k, ScaleKind::channel, tuning, target)) throw Refused(*reason);
  return qpn2::accumulation_plan(k, tuning, target);
}

Tuning tuned(std::uint32_t k, Target target) {
  const Tuning choice = tuning_rule(k, target).value_or(Tuning{8, 2});
  if (const auto reason = why_refused(1, k, ScaleKind::channel, choice, target))
    throw Refused("qpn8_gemm: " + *reason);
  return choice;
}

std::vector<Launch> gemm(const GemmArguments& arguments, Tuning tuning, Target target) {
  require_admitted(arguments, tuning, target);
  std::vector<Launch> launches;
  for (std::uint32_t first = 0; first < arguments.m; first += rows_of_launch)
    launches.push_back(
        launch_of(arguments, first, std::min(arguments.m - first, rows_of_launch), tuning, target));
  return launches;
}

}  // namespace quadpair::qpn8
