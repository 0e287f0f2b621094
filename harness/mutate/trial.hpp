// A subject's buffers on an emulator, on which one mutant after the other runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/mutate/subject.hpp"
#include "harness/run/device_buffers.hpp"
#include "harness/run/options.hpp"
#include "harness/run/place.hpp"
#include "harness/run/weights_on_device.hpp"

namespace quadpair::mutate {

class Trial {
 public:
  /// Packs the weights with the sound kernels. Subject and device outlive it.
  Trial(const Subject& subject, device::Device& device);

  /// With the sound kernels.
  const std::vector<Launch>& launches() const { return launches_; }

  /// Loads a module in place of those of its name and target, for the runs that follow. Throws device::Fault
  /// where the emulator refuses one of its instructions.
  void load(const Module& module);

  /// Runs the launches with the module that was loaded on a round of inputs. How that was noticed:
  /// "mismatch", "fault: ...", "memory"; nothing when all is as with the sound kernel. Weights or inputs that
  /// were written are put right only by a new Trial: see spoiled().
  std::optional<std::string> run(std::size_t round);

  bool spoiled() const { return spoiled_; }

 private:
  const Subject& subject_;
  device::Device& device_;
  run::DeviceBuffers buffers_;
  std::optional<run::DeviceWeights> weights_;
  std::optional<run::Place> place_;
  std::vector<Launch> launches_;
  std::unique_ptr<device::Graph> loaded_;
  std::size_t round_ = 0;  ///< whose inputs lie on the device
  bool spoiled_ = false;
};

}  // namespace quadpair::mutate
