// wgmma in an entry: registers that the tensor cores hold from the issue of a product until it is waited for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/ir.hpp"

namespace quadpair::ptx {

bool multiplies_by_warpgroups(const Entry& entry);

/// Makes each wgmma.wait_group a use of all accumulators of the entry, which are written as late as then.
void keep_accumulators(Entry& entry);

/// An instruction that may meet a register in the wrong state.
struct Misuse {
  std::uint32_t instruction;
  std::string what;
};

/// The first one in program order, on any way through the entry: of PTX ISA, "wgmma.fence" and
/// "wgmma.wait_group". An accumulator is neither read nor written, a fragment of A not written, until the
/// product's group has been waited for; and a product takes no register that another instruction has touched
/// since the last wgmma.fence.
std::optional<Misuse> find_misuse(const Entry& entry, const ControlFlow& flow);

}  // namespace quadpair::ptx
