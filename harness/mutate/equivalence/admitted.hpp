// What a launch of an entry may have as arguments and grid, as far as its operator admits no other.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/mutate/equivalence/value.hpp"
#include "kernels/common/launch.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::mutate {

struct Admitted {
  std::vector<Value> parameters;                                            ///< of each what it may be
  std::uint64_t blocks_x = (std::uint64_t{1} << 31) - 1, blocks_y = 65535;  ///< of the grid, at most

  /// Whether a launch is one of them.
  bool admit(const Launch& launch) const;
};

/// Arguments of any value, and any grid that CUDA has.
Admitted anything(const ptx::Entry& entry);

/// Those that the operator of an entry of `module` launches it with (kernels/qpn2/entry.hpp), after it has
/// refused others (kernels/qpn2/admission.cpp); of other modules any. Buffers lie below 2^63, and rows of y
/// of 2^31 elements and more, or as many columns, are taken for none.
Admitted admitted_of(const Module& module, const ptx::Entry& entry);

}  // namespace quadpair::mutate
