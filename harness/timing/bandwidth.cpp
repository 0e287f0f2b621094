#include "harness/timing/bandwidth.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace quadpair::timing {

OperatorBytes operator_bytes(const GemmShape& shape, WeightFormat format) {
  OperatorBytes bytes;
  const std::uint64_t weights = shape.padded_n * shape.k;
  switch (format) {
    case WeightFormat::qpn2:
      bytes.codes = weights / 2;
      bytes.scales = weights / 16;
      break;
    case WeightFormat::turbomind_scales:
      bytes.codes = weights / 2;
      bytes.scales = 2 * weights / 16;
      break;
    case WeightFormat::qpn8_channel:
      bytes.codes = weights;
      bytes.scales = 2 * shape.padded_n;
      break;
    case WeightFormat::qpn8_block:
      bytes.codes = weights;
      bytes.scales = 2 * (shape.k / 128) * (shape.padded_n / 32);
      break;
  }
  if (shape.global_scales) bytes.global_scales = 2 * (shape.padded_n / 32);
  bytes.activations = 2 * shape.m * shape.k;
  bytes.outputs = 2 * shape.m * (shape.gated ? shape.n / 2 : shape.n);
  return bytes;
}

BandwidthFraction bandwidth_fraction(std::uint64_t bytes, double seconds, double ceiling) {
  for (double value : {seconds, ceiling})
    if (!(value > 0 && std::isfinite(value)))
      throw std::invalid_argument(
          fmt::format("a bandwidth from {} seconds and a ceiling of {} bytes a second", seconds, ceiling));
  const double value = static_cast<double>(bytes) / seconds / ceiling;
  if (!(value > 1)) return {value, std::nullopt};
  return {value,
          fmt::format("{} bytes in {:.4g} s are {:.1f} % of the ceiling of {:.4g} bytes a second: the bytes "
                      "were not all moved, or time or ceiling was measured wrongly",
                      bytes, seconds, 100 * value, ceiling)};
}

}  // namespace quadpair::timing
