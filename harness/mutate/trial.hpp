// A subject's buffers on an emulator, on which one mutant after the other runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

  /// Loads a module in place of those of its name and target where they launch the entry. Throws device::Fault
  /// where the emulator refuses one of its instructions. Weights and inputs are put right first: on a device
  /// that several cases share, a mutant that ran on another may have written to them.
  void load(const Module& module, std::string_view entry);

  /// Warp instructions that the launches take with the module that was loaded.
  std::uint64_t count();

  /// Runs the launches with the module that was loaded on a round of inputs. How that was noticed:
  /// "mismatch", "fault: ...", "memory"; nothing when all is as with the sound kernel. Weights and inputs
  /// that were written are put right.
  std::optional<std::string> run(std::size_t round);

 private:
  bool mend();  ///< false where there was something to put right

  const Subject& subject_;
  device::Device& device_;
  run::DeviceBuffers buffers_;
  std::optional<run::DeviceWeights> weights_;
  std::optional<run::Place> place_;
  std::vector<Launch> launches_;
  std::vector<Launch> loaded_launches_;
  std::unique_ptr<device::Graph> loaded_;
  std::size_t round_ = 0;  ///< whose inputs lie on the device
};

}  // namespace quadpair::mutate
