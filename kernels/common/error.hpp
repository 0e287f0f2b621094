// The kinds of failure that the kernel library reports.
#pragma once

#include <stdexcept>

namespace quadpair {

/// The caller asked for something that the contract does not admit (shape, alignment, tuning, target).
/// Nothing was launched.
struct Refused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// A weight's scale cannot be represented by the kernels; names tensor, row, group and value.
struct RangeError : std::range_error {
  using std::range_error::range_error;
};

/// The device or its driver failed.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace quadpair
