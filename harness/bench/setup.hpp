// A case's data on one device, and its two sides.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "harness/bench/options.hpp"
#include "harness/bench/sides.hpp"
#include "harness/run/matrix_cache.hpp"

namespace quadpair::bench {

/// A case with everything that is made before a device is asked.
struct BenchCase {
  run::Problem problem;                 ///< the candidate's
  std::optional<run::Problem> control;  ///< of a control that is a kernel of the project
  std::shared_ptr<const run::Matrix> matrix;
  inputs::Inputs inputs;

  /// Of the codes and scales that one use of either side reads: the fewer.
  std::uint64_t weight_bytes() const;
  /// Of one use, by the operator's contract.
  std::uint64_t contract_bytes() const;
};

/// The problem of the control's kernel: the case's with another target, tuning or layout. Throws Refused
/// where the device does not run that target's code, or the operator does not admit the tuning.
run::Problem control_problem(const cases::Case& c, const run::Problem& candidate,
                             const cases::QuantizedMatrix& weights, const Options& options);

/// The case with its matrix and inputs. Throws as run::make_problem and control_problem.
BenchCase make_case(const cases::Case& c, const Options& options, run::MatrixCache& matrices);

class Setup {
 public:
  /// `c` and `device` outlive the setup and its sides. Throws what the device throws.
  Setup(device::Device& device, const BenchCase& c, const Options& options, std::uint32_t tensors);

  /// Throw Refused, device::Unavailable.
  std::unique_ptr<Side> candidate();
  std::unique_ptr<Side> control();

 private:
  /// What a side of that problem works on: weights as its policy stores them, packed by its target's kernels.
  Workload work(const run::Problem& problem);

  device::Device& device_;
  const BenchCase& case_;
  const Options& options_;
  std::uint32_t count_;  ///< of tensors
  std::unique_ptr<device::Buffer> x_;
  std::map<std::pair<std::optional<StoragePolicy>, Target>, Tensors>
      tensors_;  ///< made when a side first needs them
};

}  // namespace quadpair::bench
