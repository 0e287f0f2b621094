// The sums behind a stored number, as a device took them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/history.hpp"

namespace quadpair::run {

/// Nodes of a History. Steps and additions are in the order in which they were executed.
struct DeviceSum {
  struct Chain {
    std::vector<std::uint32_t> steps;  ///< mma
    std::uint32_t start = 0;           ///< what the first one adds to
  };
  struct Slice {
    std::vector<Chain> chains;
    std::uint32_t sum = 0;
    std::uint32_t taken = 0;    ///< the sum as the addition of slices got it: a load, where it was stored
    std::uint32_t running = 0;  ///< the sum of the slices so far
  };
  std::vector<Slice> slices;
  std::uint32_t rounded = 0;  ///< to FP16
};

/// The sums that the stored number is made of: one, or those of gate and up, in the order in which the
/// epilogue takes them. Empty where no rounded sum of products is found.
std::vector<DeviceSum> device_sums(const device::History& history);

}  // namespace quadpair::run
