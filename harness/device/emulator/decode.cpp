#include "harness/device/emulator/decode.hpp"

#include <fmt/format.h>

#include "harness/device/device.hpp"

#include "harness/device/emulator/layout.hpp"
#include "harness/device/emulator/ptx/liveness.hpp"
#include "harness/device/emulator/ptx/source_place.hpp"
#include "harness/device/emulator/ptx/warpgroup.hpp"

namespace quadpair::emulator {
namespace {

/// Registers that live where the entry begins: they may be read before they are written, and their values are
/// made the same for every block. All others are written on every way to a read.
std::vector<std::uint32_t> undefined_registers(const ptx::Entry& entry, const ptx::ControlFlow& flow) {
  std::vector<std::uint32_t> undefined;
  if (flow.blocks.empty()) return undefined;
  const ptx::Liveness liveness = ptx::liveness(entry, flow);
  const std::uint64_t* live = liveness.in.of(0);
  for (std::uint32_t r = 0; r < entry.registers.size(); ++r)
    if (live[r / 64] >> (r % 64) & 1) undefined.push_back(r);
  return undefined;
}

Kernel begin_kernel(const ptx::Entry& entry, const std::vector<ptx::SourceFile>& files,
                    const std::string& module, Observation observation) {
  Kernel kernel;
  kernel.observation = observation;
  kernel.module = module;
  kernel.name = entry.name;
  kernel.parameter_bytes = entry.parameter_bytes;
  kernel.shared_bytes = entry.shared_bytes;
  kernel.max_threads = entry.max_threads;
  for (const ptx::Instruction& instruction : entry.instructions)
    kernel.lines.push_back({instruction.ptx_line, instruction.text,
                            ptx::source_place(files, instruction.source_file, instruction.source_line)});
  kernel.lines.push_back({0, "end of the entry"});
  return kernel;
}

/// The counts and lengths of the blocks stay those of the entry as written.
Kernel decode_fused(const ptx::Entry& entry, const ptx::ControlFlow& flow,
                    const std::vector<std::uint32_t>& undefined, const OpcodeTable& table,
                    const Kernel& written, Kernel kernel) {
  const bool watches = kernel.observation == Observation::faults;
  const FusedEntry fused = fuse(entry, flow, {undefined, watches}, table);
  const ptx::ControlFlow fused_flow = ptx::control_flow(fused.entry);
  const FusedLayout layout{fused.instructions, written.blocks};
  lay_out(fused.entry, fused_flow, undefined, table, kernel, &layout);
  return kernel;
}

}  // namespace

Kernel decode(const ptx::Entry& entry, const std::vector<ptx::SourceFile>& files, const std::string& module,
              const OpcodeTable& table, Observation observation) {
  const ptx::ControlFlow flow = ptx::control_flow(entry);
  if (const auto misuse = ptx::find_misuse(entry, flow)) {
    const ptx::Instruction& instruction = entry.instructions[misuse->instruction];
    throw device::Fault(fmt::format("module {}, entry {}, PTX line {}: {}: '{}'", module, entry.name,
                                    instruction.ptx_line, misuse->what, instruction.text));
  }
  const std::vector<std::uint32_t> undefined = undefined_registers(entry, flow);
  const Kernel empty = begin_kernel(entry, files, module, observation);
  Kernel kernel = empty;
  lay_out(entry, flow, undefined, table, kernel);
  if (observation == Observation::history) return kernel;
  return decode_fused(entry, flow, undefined, table, kernel, empty);
}

}  // namespace quadpair::emulator
