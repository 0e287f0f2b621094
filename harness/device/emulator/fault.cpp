#include "harness/device/emulator/fault.hpp"

#include <bit>

#include <fmt/format.h>

#include "harness/device/device.hpp"
#include "harness/device/emulator/kernel.hpp"

namespace quadpair::emulator {

std::string place_text(const Kernel& kernel, std::uint32_t instruction, const Dim3& block, std::uint32_t warp,
                       std::uint32_t lanes) {
  const SourceLine& line = kernel.lines[kernel.source[instruction]];
  std::string place = fmt::format("{}:{}{}{}, PTX line {} '{}', block ({},{},{}), warp {}", kernel.module,
                                  kernel.name, line.source.empty() ? "" : ", ", line.source, line.ptx_line,
                                  line.text, block.x, block.y, block.z, warp);
  if (lanes != 0) place += fmt::format(", lane {}", std::countr_zero(lanes));
  return place;
}

void throw_fault(const Instruction* ip, const Context& context, std::uint32_t lanes,
                 const std::string& what) {
  throw device::Fault(fmt::format(
      "{}: {}", place_text(*context.kernel, ip->index, context.block_index, context.warp_index, lanes),
      what));
}

}  // namespace quadpair::emulator
