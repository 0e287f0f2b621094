// A vocabulary shard of an LM head on the device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/launch.hpp"
#include "kernels/common/memory.hpp"
#include "kernels/projection/policy.hpp"
#include "kernels/projection/projection.hpp"

namespace quadpair::lm_head {

/// The buffers that a shard of n rows keeps, by their names in the ledger: qpn8_codes and qpn8_scales (a
/// scale a row), lm_head_fp16, and lm_head_packed where lm_head_top1 is asked for.
std::vector<StorageItem> storage(std::uint32_t n, std::uint32_t k, bool top1);

/// Rows [first_id, first_id + n) of a vocabulary in host memory.
struct HeadWeights {
  std::string name;
  std::uint32_t n = 0, k = 0;
  std::uint32_t first_id = 0;
  std::uint32_t vocabulary = 0;            ///< ids that the model has
  std::span<const std::uint16_t> weights;  ///< f16 [n, k]
};

/// Throws RangeError naming the tensor, row and k of a weight that is NaN or infinite, and Refused for a
/// shape that does not match the weights or for rows past the vocabulary: padding inside a shard would
/// compete with real ids.
void prepare(const HeadWeights& head);

/// Owns exactly the buffers that storage() names.
class Head {
 public:
  /// Checks (prepare), quantises and packs. The row-major codes and scales in between, "fp8_codes" and
  /// "fp8_scales", are freed before it returns. Throws RangeError, Refused, and what `execute` throws.
  Head(const HeadWeights& head, bool top1, Target target, const Allocate& allocate, const Execute& execute);

  std::uint32_t n() const { return n_; }
  std::uint32_t k() const { return k_; }
  std::uint32_t first_id() const { return first_id_; }
  std::size_t bytes() const;

  /// The address of an item, or 0 where there is none of that name.
  DevicePtr address(std::string_view item) const;

 private:
  struct Item {
    StorageItem storage;
    std::unique_ptr<DeviceMemory> memory;
  };
  std::uint32_t n_, k_, first_id_;
  std::vector<Item> items_;
};

}  // namespace quadpair::lm_head
