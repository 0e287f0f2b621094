// Bad input data, named.
#pragma once

#include <stdexcept>

namespace quadpair::cases {

/// Input that cannot be used; the message names file, tensor, index and value. Exit status 65.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace quadpair::cases
