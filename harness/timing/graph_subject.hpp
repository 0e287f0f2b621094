// Work on a device, as a subject: one captured graph that rotates over a working set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/timing/sampling.hpp"
#include "harness/timing/working_set.hpp"

namespace quadpair::timing {

class GraphSubject final : public Subject {
 public:
  /// `graph` holds the plan's nodes.
  GraphSubject(std::string name, std::unique_ptr<device::Graph> graph, const SamplePlan& plan);

  const std::string& name() const override { return name_; }

  /// Seconds per use by the device's events. Throws std::runtime_error where the device has no clock.
  double sample() override;

 private:
  std::string name_;
  SamplePlan plan_;
  std::unique_ptr<device::Graph> graph_;
};

}  // namespace quadpair::timing
