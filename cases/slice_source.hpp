// Where a suite's weights come from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cases/heads.hpp"

namespace quadpair::cases {

/// Slices by name. Safe to use from several threads.
class SliceSource {
 public:
  SliceSource() = default;
  SliceSource(const SliceSource&) = delete;
  SliceSource& operator=(const SliceSource&) = delete;
  virtual ~SliceSource() = default;

  /// The shape, without loading the slice; nothing for an unknown name.
  virtual std::optional<SliceShape> shape(const std::string& name) const = 0;

  /// Throws DataError. `seed` is of made-up weights.
  virtual std::shared_ptr<const QuantizedMatrix> load(const std::string& name, std::uint64_t seed) const = 0;

  /// An LM head, whose shape is known by the same name. Throws DataError.
  virtual std::shared_ptr<const HeadMatrix> load_lm_head(const std::string& name,
                                                         std::uint64_t seed) const = 0;
};

/// Real slices and made-up ones: slice_shape(), load_slice() and load_head().
std::shared_ptr<const SliceSource> built_in_slices();

}  // namespace quadpair::cases
