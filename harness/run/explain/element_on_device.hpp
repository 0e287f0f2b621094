// One element of a case on a device that tells how it came about.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/inputs/inputs.hpp"
#include "harness/run/explain/explanation.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/options.hpp"
#include "harness/run/problem.hpp"

namespace quadpair::run {

struct ElementHistory {
  std::shared_ptr<const device::History> stored;  ///< null: nothing wrote the element
  struct Sum {
    std::shared_ptr<const device::History> history;
    DeviceSum sum;
  };
  std::vector<Sum> sums;  ///< gate first; fewer than there should be where they are not found
};

/// Packs the weights, runs the operator and follows the element back; through the workspace too, where an
/// epilogue of its own takes gate and up from there.
ElementHistory element_history(device::Device& device, const Problem& problem, const Matrix& matrix,
                               const inputs::Inputs& inputs, const ModuleLookup& find_module,
                               std::uint32_t row, std::uint32_t column);

}  // namespace quadpair::run
