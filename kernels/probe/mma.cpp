#include "kernels/probe/mma.hpp"

#include "kernels/common/check.hpp"

namespace quadpair::probe {

std::vector<Launch> mma(const MmaArguments& arguments, Target target) {
  const MmaArguments& a = arguments;
  const std::string name = "probe_" + std::string(to_string(a.shape));
  require(a.shape == MmaShape::m8n8k4 || target != Target::sm70, name + ": sm70 has m8n8k4 only");
  require(a.rows != 0, name + ": no rows");
  require(a.operands != 0 && a.operands % 4 == 0, name + ": operands are null or not 4-byte aligned");
  require(a.c != 0 && a.c % 4 == 0, name + ": c is null or not 4-byte aligned");
  require(a.d != 0 && a.d % 4 == 0, name + ": d is null or not 4-byte aligned");

  constexpr std::uint32_t warps = 4;
  const std::uint32_t rows_of_block = warps * rows_per_instruction(a.shape);
  Launch launch;
  launch.module = &find_module("probe/mma", target);
  launch.entry = name;
  launch.grid = {(a.rows - 1) / rows_of_block + 1, 1, 1};
  launch.block = {warps * 32, 1, 1};
  launch.arguments.add(a.operands).add(a.c).add(a.d).add(a.rows);
  return {launch};
}

}  // namespace quadpair::probe
