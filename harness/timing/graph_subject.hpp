// An operator on a device, as a subject: one captured graph that rotates over a working set.
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
  /// `uses[t]` are the launches of one use of the operator on tensor t (frozen here; their buffers must
  /// outlive this). Throws std::invalid_argument unless there are plan.tensors of them.
  GraphSubject(std::string name, device::Device& device, const std::vector<std::vector<Launch>>& uses,
               const SamplePlan& plan);

  const std::string& name() const override { return name_; }

  /// Seconds per use by the device's events. Throws std::runtime_error where the device has no clock.
  double sample() override;

 private:
  std::string name_;
  SamplePlan plan_;
  std::unique_ptr<device::Graph> graph_;
};

}  // namespace quadpair::timing
