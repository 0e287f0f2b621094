#include "harness/timing/graph_subject.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

namespace quadpair::timing {

GraphSubject::GraphSubject(std::string name, std::unique_ptr<device::Graph> graph, const SamplePlan& plan)
    : name_(std::move(name)), plan_(plan), graph_(std::move(graph)) {}

double GraphSubject::sample() {
  const std::optional<double> seconds = graph_->timed_replays(plan_.replays);
  if (!seconds) throw std::runtime_error(name_ + ": the device has no clock, so nothing can be timed on it");
  return *seconds / static_cast<double>(plan_.launches());
}

}  // namespace quadpair::timing
