// A case on a device, several times over, and whether the device is afterwards as it was.
#pragma once

#include "harness/run/device_pool.hpp"
#include "harness/run/device_run.hpp"

namespace quadpair::run {

/// Runs the case on one device options.repeats times, each time from the start (run_on_device); gives the
/// first run with these checks added, one element 0 or 1 for each thing compared: "repeats", when there are
/// several: whether each output has the same hash as the first time; "memory returned": whether as many
/// buffers and bytes live after each run as before the first, and whether the driver's count of free memory
/// shrank from the end of the first run to the end of the last by less than `driver_allowance`. During the
/// first run it does shrink: modules are loaded and the driver's own pools grow. Throws what run_on_device
/// throws; the device is then not given back.
Actual run_repeatedly(DevicePool& devices, unsigned threads, const CaseData& data, const Options& options);

/// The driver hands memory out in pieces of 2 MiB; a piece that it took for itself late is no leak, two are.
inline constexpr std::uint64_t driver_allowance = std::uint64_t{4} << 20;

}  // namespace quadpair::run
