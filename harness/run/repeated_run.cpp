#include "harness/run/repeated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/compare/check.hpp"

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
  void report(const char* name, Repetition& found) const {
    found.checks.push_back(compare::bitwise(name, std::vector<std::uint8_t>(broken_.size()), broken_));
    found.notes += notes_;
  }

 private:
  std::vector<std::uint8_t> broken_;
  std::string notes_;
};

void add_buffers(Findings& findings, const MemoryUse& before, const MemoryUse& after) {
  findings.add(before.buffers == after.buffers && before.bytes == after.bytes,
               fmt::format("{} buffers of {} bytes live, {} of {} before", after.buffers, after.bytes,
                           before.buffers, before.bytes));
}

}  // namespace

Repetition repeat(DevicePool& devices, reference::Model model, unsigned threads, unsigned repeats,
                  const std::function<std::vector<Fingerprint>(device::Device& device)>& run) {
  auto device = devices.take(model, threads);
  const MemoryUse before = device->memory_use();
  const std::vector<Fingerprint> first = run(*device);
  const MemoryUse warm = device->memory_use();
  Findings same, memory;
  add_buffers(memory, before, warm);
  MemoryUse last = warm;
  for (unsigned n = 2; n <= repeats; ++n) {
    const std::vector<Fingerprint> now = run(*device);
    last = device->memory_use();
    add_buffers(memory, before, last);
    for (std::size_t i = 0; i < first.size(); ++i)
      same.add(now.at(i).hash == first[i].hash, fmt::format("{} differs in run {}", now[i].name, n));
  }
  if (warm.free_bytes && last.free_bytes && repeats > 1) {
    const std::uint64_t taken = *warm.free_bytes - std::min(*warm.free_bytes, *last.free_bytes);
    memory.add(taken < driver_allowance, fmt::format("the driver has {} bytes less to give", taken));
  }
  Repetition found;
  if (repeats > 1) same.report("repeats", found);
  memory.report("memory returned", found);
  devices.give_back(model, threads, std::move(device));
  return found;
}

}  // namespace quadpair::run
