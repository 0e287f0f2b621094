// How fast a device streams.
#pragma once

#include "harness/device/device.hpp"
#include "harness/run/options.hpp"

namespace quadpair::bench {

enum class Temperature { cold, hot };

/// Bytes a second of a plain read: cold, of 16 times the L2; hot, of a quarter of it again and again. The
/// median of several samples. Throws std::runtime_error where the sums of what was read are wrong.
double measure_ceiling(device::Device& device, Target target, Temperature temperature,
                       const run::ModuleLookup& find_module);

}  // namespace quadpair::bench
