#include <algorithm>

#include "cases/error.hpp"
#include "cases/suite.hpp"
#include "harness/inputs/fills.hpp"

namespace quadpair::inputs {

std::vector<std::uint16_t> fill_real(const FillRequest& request) {
  const auto real = cases::load_activations(request.weights.name);
  if (!real || real->k != request.weights.k)
    throw cases::DataError("slice '" + request.weights.name +
                           "' has no real activations for K = " + std::to_string(request.weights.k));
  std::vector<std::uint16_t> x(std::size_t{request.m} * real->k);
  // 37 is odd: 64 rounds begin at 64 different rows, and neighbouring rounds far from each other.
  const std::size_t begin = std::size_t{37} * request.round;
  for (std::size_t row = 0; row < request.m; ++row)
    std::copy_n(&real->values[(begin + row) % real->rows * real->k], real->k, &x[row * real->k]);
  return x;
}

}  // namespace quadpair::inputs
