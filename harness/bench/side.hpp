// One side of a comparison, ready on a device: a use of an operator on each of several tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/timing/working_set.hpp"
#include "reports/check.hpp"
#include "reports/record.hpp"

namespace quadpair::bench {

/// What a side writes, the same on every tensor, and who judges it.
struct Output {
  std::unique_ptr<device::Buffer> buffer;
  /// The buffer's bytes of one or more uses, on end, against what they should be.
  std::function<std::vector<reports::Check>(const std::string& name, const std::vector<std::byte>& bytes)>
      judge;
  std::unique_ptr<device::Buffer> workspace{};  ///< null where none is needed
};

class Side {
 public:
  Side(std::string name, Output output) : name_(std::move(name)), output_(std::move(output)) {}
  virtual ~Side() = default;
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  const std::string& name() const { return name_; }

  /// One use of the operator on one tensor. Throws what the device throws.
  virtual void run(std::uint32_t tensor) = 0;
  /// A rotation over the tensors. Throws what the device throws.
  virtual std::unique_ptr<device::Graph> capture(const timing::SamplePlan& plan) = 0;

  /// The project's kernels that a use launches.
  virtual std::vector<reports::KernelRecord> kernels() const { return {}; }

  /// Those kernels as "name@target + name@target", each once; of a library its name and version.
  virtual std::string route() const { return name_; }

  /// Fills the output, so that what is not written shows.
  void poison() { output_.buffer->fill(0xA5); }
  /// The output as it stands.
  std::vector<reports::Check> check(const std::string& what) const;
  /// Runs each of the tensors, poisoned before, and judges all outputs.
  std::vector<reports::Check> verify(std::uint32_t tensors);

 private:
  void append_output(std::vector<std::byte>& bytes) const;

  std::string name_;
  Output output_;
};

/// Two sides of a comparison, and what is known of their work.
struct Sides {
  Side& candidate;
  Side& control;
  std::uint32_t m = 0;
  std::uint64_t weight_bytes = 0;    ///< of one tensor, of the side that reads less
  std::uint64_t contract_bytes = 0;  ///< of one use of the candidate
};

/// A side made of kernels: launches for each tensor.
class KernelSide final : public Side {
 public:
  KernelSide(std::string name, Output output, device::Device& device, std::vector<std::vector<Launch>> uses)
      : Side(std::move(name), std::move(output)), device_(device), uses_(std::move(uses)) {}

  void run(std::uint32_t tensor) override { device_.run(uses_.at(tensor)); }
  std::unique_ptr<device::Graph> capture(const timing::SamplePlan& plan) override;
  std::vector<reports::KernelRecord> kernels() const override;
  std::string route() const override;

 private:
  device::Device& device_;
  std::vector<std::vector<Launch>> uses_;
};

/// A side made of a library's products, one for each tensor.
class LibrarySide final : public Side {
 public:
  LibrarySide(Output output, std::unique_ptr<device::GemmLibrary> library,
              std::vector<std::vector<device::LibraryGemm>> uses,
              std::vector<std::unique_ptr<device::Buffer>> weights)
      : Side(library->name(), std::move(output)),
        weights_(std::move(weights)),
        uses_(std::move(uses)),
        library_(std::move(library)) {}

  void run(std::uint32_t tensor) override { library_->run(uses_.at(tensor)); }
  std::unique_ptr<device::Graph> capture(const timing::SamplePlan& plan) override;

 private:
  std::vector<std::unique_ptr<device::Buffer>> weights_;
  std::vector<std::vector<device::LibraryGemm>> uses_;
  std::unique_ptr<device::GemmLibrary> library_;
};

}  // namespace quadpair::bench
