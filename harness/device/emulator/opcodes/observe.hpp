// Handlers that decoders put around instructions of kernels that are observed.
#pragma once

#include "harness/device/emulator/kernel.hpp"
#include "harness/device/emulator/opcode.hpp"

namespace quadpair::emulator {

struct Observers {
  /// Before a memory access, whose fields it has.
  Handlers access;
  /// Before a cp.async, whose fields it has; `site` is the source's, the next one the destination's.
  Handlers copy4, copy8, copy16;
  /// After an access: lanes that left it out come back.
  Handlers rejoin;
  /// Before cp.async.wait_group, whose fields it has.
  Handlers wait_group;
  Handlers warp_barrier;
  Handlers wait_for_grid, release_grid;
  /// Before a use of the watched register `site`, whose predicate is `a`; after its definition.
  Handlers check_written, mark_written;
};

/// Those that note faults, or just count.
Observers observers(Observation observation);

}  // namespace quadpair::emulator
