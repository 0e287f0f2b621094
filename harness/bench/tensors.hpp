// Copies of one packed matrix on a device, to rotate over.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/matrix.hpp"
#include "kernels/bench/stream.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::bench {

/// A buffer that kernels only read, holding the data.
std::unique_ptr<device::Buffer> input_buffer(device::Device& device, std::string name,
                                             std::span<const std::byte> data);

/// The same weights in several places: what a cache holds of one does not help another.
class Tensors {
 public:
  Tensors(device::Device& device, const run::Matrix& matrix, std::uint32_t count);

  std::uint32_t count() const { return static_cast<std::uint32_t>(codes_.size()); }
  StreamRange codes(std::uint32_t tensor) const { return range(*codes_.at(tensor)); }
  StreamRange scales(std::uint32_t tensor) const { return range(*scales_.at(tensor)); }
  const qpn2::GlobalScale& global() const { return global_; }

 private:
  static StreamRange range(const device::Buffer& buffer) { return {buffer.address(), buffer.bytes()}; }

  std::vector<std::unique_ptr<device::Buffer>> codes_, scales_;
  std::unique_ptr<device::Buffer> tile_globals_;
  qpn2::GlobalScale global_;
};

}  // namespace quadpair::bench
