#include "harness/timing/graph_subject.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace quadpair::timing {

GraphSubject::GraphSubject(std::string name, device::Device& device,
                           const std::vector<std::vector<Launch>>& uses, const SamplePlan& plan)
    : name_(std::move(name)), plan_(plan) {
  if (uses.size() != plan.tensors)
    throw std::invalid_argument(
        fmt::format("{}: launches for {} tensors, but {} rotate", name_, uses.size(), plan.tensors));
  std::vector<Launch> launches;
  for (std::uint32_t node = 0; node < plan.nodes; ++node) {
    const std::vector<Launch>& use = uses[node % plan.tensors];
    launches.insert(launches.end(), use.begin(), use.end());
  }
  graph_ = device.capture(launches);
}

double GraphSubject::sample() {
  const std::optional<double> seconds = graph_->timed_replays(plan_.replays);
  if (!seconds) throw std::runtime_error(name_ + ": the device has no clock, so nothing can be timed on it");
  return *seconds / static_cast<double>(plan_.launches());
}

}  // namespace quadpair::timing
