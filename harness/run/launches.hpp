// Launches made ready for a device, and what a report says of their kernels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/options.hpp"
#include "kernels/common/launch.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// The launches with their modules as `find_module` has them.
std::vector<Launch> looked_up(std::vector<Launch> launches, const ModuleLookup& find_module);

/// "name@target + name@target".
std::string route_of(std::span<const reports::KernelRecord> kernels);

/// Adds each of the kernels that is not listed yet.
void add_kernels(std::span<const reports::KernelRecord> kernels, std::vector<reports::KernelRecord>& listed);
void add_kernels(std::span<const Launch> launches, const device::Device& device,
                 std::vector<reports::KernelRecord>& listed);

}  // namespace quadpair::run
