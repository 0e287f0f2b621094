// Copies of one matrix on a device, packed, to rotate over.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run/matrix.hpp"
#include "harness/run/options.hpp"
#include "harness/run/problem.hpp"
#include "kernels/bench/stream.hpp"
#include "kernels/projection/projection.hpp"

namespace quadpair::bench {

/// Memory of the device that lives as long as its owner.
Allocate allocate_on(device::Device& device);

/// A buffer that kernels only read, holding the data.
std::unique_ptr<device::Buffer> input_buffer(device::Device& device, std::string name,
                                             std::span<const std::byte> data);

/// The same weights in several places: what a cache holds of one does not help another.
class Tensors {
 public:
  /// Packs `count` copies as the problem's operator takes them. Throws what kernels and device throw.
  Tensors(device::Device& device, const run::Problem& problem, const run::Matrix& matrix, std::uint32_t count,
          const run::ModuleLookup& find_module);

  std::uint32_t count() const { return static_cast<std::uint32_t>(projections_.size() + fp8_.size()); }

  /// The weights of one copy, with no other operands.
  run::Operands operands(std::uint32_t tensor) const;

  /// A buffer of one copy, by its name in the ledger.
  StreamRange range(std::uint32_t tensor, std::string_view item) const;

 private:
  std::vector<Projection> projections_;  ///< these, or
  std::vector<qpn8::Projection> fp8_;    ///< these
  std::vector<StorageItem> fp8_items_;
};

}  // namespace quadpair::bench
