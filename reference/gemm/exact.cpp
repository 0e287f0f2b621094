#include "reference/gemm/exact.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace quadpair::reference {
namespace {

/// What one chain sums to, from +0.0.
float stream_sum(const Schedule& schedule, std::size_t stream, const Half* x, const Half* panel,
                 std::size_t column) {
  std::array<Half, 16> a, b;
  std::uint32_t c = 0;
  for (std::size_t i = schedule.streams[stream]; i < schedule.streams[stream + 1]; i += schedule.width) {
    for (std::size_t j = 0; j < schedule.width; ++j) {
      const std::size_t k = schedule.k[i + j];
      a[j] = x[k];
      b[j] = panel[k * panel_columns + column];
    }
    c = fused_sum(schedule.model, std::span(a.data(), schedule.width), std::span(b.data(), schedule.width),
                  c);
  }
  return std::bit_cast<float>(c);
}

}  // namespace

float exact_sum(const Schedule& schedule, const Half* x, const Half* panel, std::size_t column) {
  float total = 0;
  for (std::size_t stream = 0; stream < schedule.stream_count(); stream += schedule.chains) {
    float slice = stream_sum(schedule, stream, x, panel, column);
    for (std::size_t chain = 1; chain < schedule.chains; ++chain)
      slice += stream_sum(schedule, stream + chain, x, panel, column);
    total += slice;
  }
  return std::isnan(total) ? std::bit_cast<float>(float_nan) : total;
}

}  // namespace quadpair::reference
