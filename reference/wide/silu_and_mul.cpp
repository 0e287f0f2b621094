#include "reference/wide/silu_and_mul.hpp"

#include <stdexcept>

#include "reference/gemm/gated.hpp"

namespace quadpair::reference {

std::vector<Half> silu_and_mul(const Half* x, std::uint32_t m, std::uint32_t columns, std::uint32_t up,
                               std::uint32_t ldx) {
  if (ldx < std::uint64_t{up} + columns) throw std::invalid_argument("ldx is less than up + columns");
  std::vector<Half> y(std::size_t{m} * columns);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      y[row * columns + column] = gated_epilogue(x[row * ldx + column], x[row * ldx + up + column]);
  return y;
}

}  // namespace quadpair::reference
