// Bytes that an operator has to move by its contract, and how near that comes to the device's ceiling.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace quadpair::timing {

enum class WeightFormat { qpn2, turbomind_scales, qpn8_channel, qpn8_block };

/// One use of a GEMM on weights [padded_n, k].
struct GemmShape {
  std::uint64_t m, n, k, padded_n;
  bool gated = false;          ///< the output has half of the n columns
  bool global_scales = false;  ///< several global scales, as FP16 for each 32 columns
};

/// Each buffer read or written once; what a kernel reads twice does not count twice.
struct OperatorBytes {
  std::uint64_t codes = 0, scales = 0, global_scales = 0, activations = 0, outputs = 0;
  std::uint64_t weights() const { return codes + scales + global_scales; }
  std::uint64_t total() const { return weights() + activations + outputs; }
};

OperatorBytes operator_bytes(const GemmShape& shape, WeightFormat format);

/// `value` above 1 cannot be: then `fault` says which figures contradict each other.
struct BandwidthFraction {
  double value;
  std::optional<std::string> fault;
};

/// bytes / seconds over the ceiling, both measured in one run and both cold or both hot. Throws
/// std::invalid_argument unless seconds and ceiling (bytes a second) are positive and finite.
BandwidthFraction bandwidth_fraction(std::uint64_t bytes, double seconds, double ceiling);

}  // namespace quadpair::timing
