#include "kernels/wide/silu_and_mul.hpp"

#include "kernels/common/check.hpp"

namespace quadpair::wide {

std::vector<Launch> silu_and_mul(const SiluAndMulArguments& arguments, Target target) {
  const SiluAndMulArguments& a = arguments;
  const std::string who = "silu_and_mul: ";
  require(a.columns != 0, who + "no columns");
  require(a.up >= a.columns, who + "up=" + std::to_string(a.up) + ": gate has " + std::to_string(a.columns) +
                                 " columns before it");
  if (a.m == 0) return {};
  require(a.x != 0 && a.x % 2 == 0, who + "x is null or not 2-byte aligned");
  require(a.y != 0 && a.y % 2 == 0, who + "y is null or not 2-byte aligned");
  require(a.ldx >= std::uint64_t{a.up} + a.columns,
          who + "ldx=" + std::to_string(a.ldx) + " is less than up + columns");
  require(a.ldy >= a.columns, who + "ldy=" + std::to_string(a.ldy) + " is less than the " +
                                  std::to_string(a.columns) + " columns of y");
  constexpr std::uint32_t threads = 256;
  Launch launch;
  launch.module = &find_module("wide/silu_and_mul", target);
  launch.entry = "silu_and_mul";
  launch.grid = {a.m, (a.columns - 1) / threads + 1, 1};
  launch.block = {threads, 1, 1};
  launch.arguments.add(a.x).add(a.y).add(a.columns).add(a.up).add(a.ldx).add(a.ldy);
  return {launch};
}

}  // namespace quadpair::wide
