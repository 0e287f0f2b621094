// What a run needs to know besides its cases.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "harness/device/device.hpp"
#include "kernels/common/module.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::run {

/// Makes the device that one case runs on. `budget`: warp instructions of one launch after which it counts as
/// an endless loop.
using DeviceFactory = std::function<std::unique_ptr<device::Device>(reference::Model model, unsigned threads,
                                                                    std::uint64_t budget)>;

/// The compiled code to run in place of the module of that name and target.
using ModuleLookup = std::function<const Module&(std::string_view name, Target target)>;

struct Options {
  DeviceFactory make_device;
  std::uint64_t seed = 1;     ///< of made-up weights and activations
  unsigned jobs = 0;          ///< threads in all, 0: one a core
  std::string repro_command;  ///< the command to which a case's --filter is added, e.g. "quadpair verify ..."
  ModuleLookup find_module = quadpair::find_module;
};

}  // namespace quadpair::run
