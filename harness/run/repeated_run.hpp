// A case on a device, several times over, and whether the device is afterwards as it was.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/run/device_pool.hpp"
#include "harness/run/fingerprint.hpp"
#include "reports/check.hpp"

namespace quadpair::run {

struct Repetition {
  std::vector<reports::Check> checks;
  std::string notes;  ///< on those checks
};

/// Calls `run` with one device `repeats` times; gives these checks, one element 0 or 1 for each thing
/// compared: "repeats", when there are several: whether each output has the same hash as the first time;
/// "memory returned": whether as many buffers and bytes live after each run as before the first, and whether
/// the driver's count of free memory shrank from the end of the first run to the end of the last by less than
/// `driver_allowance`. During the first run it does shrink: modules are loaded and the driver's own pools
/// grow. Throws what `run` throws; the device is then not given back.
Repetition repeat(DevicePool& devices, reference::Model model, unsigned threads, unsigned repeats,
                  const std::function<std::vector<Fingerprint>(device::Device& device)>& run);

/// What the first call of `run` gives, Actual or HeadActual, with those checks and notes added.
template <class Run>
auto run_repeatedly(DevicePool& devices, reference::Model model, unsigned threads, unsigned repeats,
                    const Run& run) {
  std::optional<std::invoke_result_t<Run, device::Device&>> first;
  Repetition found = repeat(devices, model, threads, repeats, [&](device::Device& device) {
    auto actual = run(device);
    std::vector<Fingerprint> of_outputs = fingerprints(actual);
    if (!first) first = std::move(actual);
    return of_outputs;
  });
  for (reports::Check& check : found.checks) first->checks.push_back(std::move(check));
  first->notes += found.notes;
  return *std::move(first);
}

/// The driver hands memory out in pieces of 2 MiB; a piece that it took for itself late is no leak, two are.
inline constexpr std::uint64_t driver_allowance = std::uint64_t{4} << 20;

}  // namespace quadpair::run
