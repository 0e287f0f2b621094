// FP16 weights as panels of 64 columns, wherever they come from.
#pragma once

#include <hwy/aligned_allocator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/formats/fp16.hpp"
#include "reference/formats/nvfp4_weights.hpp"

namespace quadpair::reference {

/// Output columns (rows of W) that are summed together, on every SIMD target.
inline constexpr std::size_t panel_columns = 64;

struct Panel {
  const Half* weights = nullptr;         ///< [k][panel_columns], zero past the last column
  const std::uint8_t* finite = nullptr;  ///< [panel_columns]: 1 where the column has neither Inf nor NaN
};

/// Where a panel is put that has to be made first: one thread's, for one matrix after another.
struct PanelSpace {
  hwy::AlignedFreeUniquePtr<Half[]> weights;
  std::size_t capacity = 0;
  alignas(64) std::array<std::uint8_t, panel_columns> finite{};

  Half* hold(std::size_t elements);
};

class WeightPanels {
 public:
  WeightPanels(std::uint32_t rows, std::uint32_t depth) : n(rows), k(depth) {}
  virtual ~WeightPanels() = default;
  WeightPanels(const WeightPanels&) = delete;
  WeightPanels& operator=(const WeightPanels&) = delete;

  const std::uint32_t n, k;
  std::size_t count() const { return (n + panel_columns - 1) / panel_columns; }
  /// Columns of a panel that exist.
  std::size_t columns(std::size_t index) const;

  /// Valid until `space` is used again.
  virtual Panel panel(std::size_t index, PanelSpace& space) const = 0;
  /// One row of W: `k` weights.
  virtual void row(std::uint32_t row, Half* to) const = 0;
};

/// Weights kept as panels.
class StoredPanels final : public WeightPanels {
 public:
  /// `weights` is row-major [n, k]; throws std::invalid_argument for another size.
  StoredPanels(const std::vector<Half>& weights, std::uint32_t n, std::uint32_t k);
  Panel panel(std::size_t index, PanelSpace& space) const override;
  void row(std::uint32_t row, Half* to) const override;

 private:
  hwy::AlignedFreeUniquePtr<Half[]> values_;  ///< [panel][k][panel_columns]
  std::vector<std::uint8_t> finite_;          ///< [panel][panel_columns]
};

/// Weights decoded whenever they are used: that takes no longer than reading them would, which are four times
/// as many bytes, and no memory.
class Nvfp4Panels final : public WeightPanels {
 public:
  explicit Nvfp4Panels(Nvfp4Weights weights)
      : WeightPanels(weights.view().n, weights.view().k), weights_(std::move(weights)) {}
  Panel panel(std::size_t index, PanelSpace& space) const override;
  void row(std::uint32_t row, Half* to) const override { weights_.row(row, to); }

 private:
  Nvfp4Weights weights_;
};

}  // namespace quadpair::reference
