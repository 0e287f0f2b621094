#include "kernels/qpn8/quantize.hpp"

#include "kernels/common/check.hpp"

namespace quadpair::qpn8 {

std::vector<Launch> quantize(const QuantizeArguments& a, Target target) {
  const std::string who = "qpn8_quantize: ";
  require(a.n != 0, who + "N=0: no rows");
  require(a.k != 0 && a.k % 64 == 0, who + "K=" + std::to_string(a.k) + ": not a positive multiple of 64");
  require(a.w != 0 && a.w % 16 == 0, who + "w is null or not 16-byte aligned");
  require(a.codes != 0 && a.codes % 8 == 0, who + "codes are null or not 8-byte aligned");
  require(a.scales != 0 && a.scales % 4 == 0, who + "scales are null or not 4-byte aligned");
  constexpr std::uint32_t warps = 8;
  Launch launch;
  launch.module = &find_module("qpn8/quantize", target);
  launch.entry = "qpn8_quantize";
  launch.grid = {(a.n + warps - 1) / warps, 1, 1};
  launch.block = {warps * 32, 1, 1};
  launch.arguments.add(a.w).add(a.codes).add(a.scales).add(a.n).add(a.k);
  return {launch};
}

}  // namespace quadpair::qpn8
