#include "harness/device/emulator/fault.hpp"

#include <bit>

#include <fmt/format.h>

#include "harness/device/device.hpp"
#include "harness/device/emulator/kernel.hpp"

namespace quadpair::emulator {

void throw_fault(const Instruction* ip, const Context& context, std::uint32_t lanes,
                 const std::string& what) {
  const Kernel& kernel = *context.kernel;
  const SourceLine& line = kernel.lines[kernel.source[ip->index]];
  std::string where = fmt::format("{}:{}, PTX line {} '{}', block ({},{},{}), warp {}", kernel.module,
                                  kernel.name, line.ptx_line, line.text, context.block_index.x,
                                  context.block_index.y, context.block_index.z, context.warp_index);
  if (lanes != 0) where += fmt::format(", lane {}", std::countr_zero(lanes));
  throw device::Fault(where + ": " + what);
}

}  // namespace quadpair::emulator
