// An FP8 projection's weights on the device.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/common/memory.hpp"
#include "kernels/projection/projection.hpp"
#include "kernels/qpn8/layout.hpp"

namespace quadpair::qpn8 {

/// The buffers of a padded [N, K] FP8 matrix, by their names in the ledger: "qpn8_codes", "qpn8_scales".
std::vector<StorageItem> storage(ScaleKind kind, std::uint32_t padded_n, std::uint32_t k);

/// A checkpoint's FP8 matrix on the device, as PackArguments takes it.
struct CheckpointMatrix {
  std::uint32_t n = 0, k = 0;
  ScaleKind kind = ScaleKind::channel;
  DevicePtr codes = 0, scales = 0;
};

/// Owns exactly the buffers that storage() names.
class Projection {
 public:
  /// Packs the matrix, which prepare() has admitted. Throws Refused, and what `execute` throws.
  Projection(const CheckpointMatrix& matrix, Target target, const Allocate& allocate, const Execute& execute);

  std::uint32_t n() const { return n_; }
  std::uint32_t k() const { return k_; }
  ScaleKind kind() const { return kind_; }
  DevicePtr codes() const { return codes_->address(); }
  DevicePtr scales() const { return scales_->address(); }

 private:
  std::uint32_t n_, k_;
  ScaleKind kind_;
  std::unique_ptr<DeviceMemory> codes_, scales_;
};

}  // namespace quadpair::qpn8
