// Time on a device with a clock.
#pragma once

#include <functional>
#include <optional>

#include "harness/bench/ceiling.hpp"
#include "harness/bench/result.hpp"
#include "harness/bench/setup.hpp"

namespace quadpair::bench {

/// Bytes a second that the device streams at that temperature.
using Ceiling = std::function<double(Temperature)>;

/// How many tensors rotate: as options say, or as many as keep a cache cold. Throws device::Unavailable where
/// the cache is to be cold but the device does not tell the size of its L2.
std::uint32_t tensors_for(std::uint64_t weight_bytes, const Options& options, const device::DeviceInfo& info);

/// Verifies both sides on every tensor that will rotate, times them, and looks at their outputs once more;
/// all checks are added to the record. Nothing when a check failed.
std::optional<Comparison> time_sides(device::Device& device, const Sides& sides, std::uint32_t tensors,
                                     const Options& options, timing::ClockSource& clock,
                                     const Ceiling& ceiling, reports::CaseRecord& record);

/// The same of a case's own sides; throws as Setup and tensors_for.
std::optional<Comparison> time_case(device::Device& device, const BenchCase& c, const Options& options,
                                    timing::ClockSource& clock, const Ceiling& ceiling,
                                    reports::CaseRecord& record);

}  // namespace quadpair::bench
