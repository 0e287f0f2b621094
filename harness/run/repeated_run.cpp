#include "harness/run/repeated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "harness/compare/check.hpp"
#include "harness/compare/hash.hpp"
#include "harness/run/device_buffers.hpp"

namespace quadpair::run {
namespace {

using device::MemoryUse;

/// Things that are as they should be, or not, and a note on those that are not.
class Findings {
 public:
  void add(bool good, const std::string& note) {
    broken_.push_back(good ? 0 : 1);
    if (!good) notes_ += note + "; ";
  }
  void report(const char* name, Actual& actual) const {
    actual.checks.push_back(compare::bitwise(name, std::vector<std::uint8_t>(broken_.size()), broken_));
    actual.notes += notes_;
  }

 private:
  std::vector<std::uint8_t> broken_;
  std::string notes_;
};

std::vector<std::string> hashes_of(const Actual& actual) {
  std::vector<std::string> hashes;
  for (const Output& output : actual.outputs) hashes.push_back(compare::hash(bytes_of(output.y)));
  return hashes;
}

void add_buffers(Findings& findings, const MemoryUse& before, const MemoryUse& after) {
  findings.add(before.buffers == after.buffers && before.bytes == after.bytes,
               fmt::format("{} buffers of {} bytes live, {} of {} before", after.buffers, after.bytes,
                           before.buffers, before.bytes));
}

}  // namespace

Actual run_repeatedly(DevicePool& devices, unsigned threads, const CaseData& data, const Options& options) {
  auto device = devices.take(data.problem.model, threads);
  const MemoryUse before = device->memory_use();
  Actual actual = run_on_device(*device, data, options.find_module);
  const MemoryUse warm = device->memory_use();
  Findings repeats, memory;
  add_buffers(memory, before, warm);
  const std::vector<std::string> hashes = hashes_of(actual);
  MemoryUse last = warm;
  for (unsigned n = 2; n <= options.repeats; ++n) {
    const Actual again = run_on_device(*device, data, options.find_module);
    last = device->memory_use();
    add_buffers(memory, before, last);
    const std::vector<std::string> now = hashes_of(again);
    for (std::size_t i = 0; i < hashes.size(); ++i)
      repeats.add(now.at(i) == hashes[i], fmt::format("{} differs in run {}", again.outputs[i].name, n));
  }
  if (warm.free_bytes && last.free_bytes && options.repeats > 1) {
    const std::uint64_t taken = *warm.free_bytes - std::min(*warm.free_bytes, *last.free_bytes);
    memory.add(taken < driver_allowance, fmt::format("the driver has {} bytes less to give", taken));
  }
  if (options.repeats > 1) repeats.report("repeats", actual);
  memory.report("memory returned", actual);
  devices.give_back(data.problem.model, threads, std::move(device));
  return actual;
}

}  // namespace quadpair::run
