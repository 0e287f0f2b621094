// An LM head made ready: checked, quantised, decoded and packed by the reference.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/slice_source.hpp"
#include "kernels/lm_head/head.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/oracle/screening.hpp"
#include "reference/qpn8/weights.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// Shared by the cases of a head.
class PreparedHead {
 public:
  /// Throws what lm_head::prepare throws.
  explicit PreparedHead(std::shared_ptr<const cases::HeadMatrix> head);

  const std::shared_ptr<const cases::HeadMatrix> head;
  const std::string sha256;  ///< of the FP16 weights
  const reference::Fp8Matrix fp8;
  const std::vector<std::uint8_t> packed_codes;
  const std::vector<reference::Half> packed_scales;

  /// What the quantised weights exercise.
  const reports::Coverage& coverage() const { return coverage_; }

  /// The FP16 weights that screening multiplies with.
  const reference::GemmMatrix& decoded() const { return *decoded_; }

  /// The FP16 head itself, as its products take it.
  const reference::GemmMatrix& exact() const;

  /// screening_errors() under the plan and the model, made when first asked for.
  const std::vector<double>& errors(const AccumulationPlan& plan, reference::Model model) const;

 private:
  std::vector<reference::Half> rows_;  ///< decoded, row-major
  reports::Coverage coverage_;
  std::optional<reference::GemmMatrix> decoded_;
  mutable std::mutex mutex_;  ///< guards what follows
  mutable std::optional<reference::GemmMatrix> exact_;
  mutable std::map<reference::Model, std::vector<double>> errors_;
};

/// The kernels' view of a head.
lm_head::HeadWeights weights_of(const cases::HeadMatrix& head);

/// Keeps the head that was asked for last: a production head costs gigabytes. Safe to call from several
/// threads.
class HeadCache {
 public:
  HeadCache(std::uint64_t seed, std::shared_ptr<const cases::SliceSource> slices)
      : slices_(std::move(slices)), seed_(seed) {}

  /// Throws cases::DataError, and what PreparedHead throws.
  std::shared_ptr<const PreparedHead> head(const std::string& name);

 private:
  std::shared_ptr<const cases::SliceSource> slices_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::shared_ptr<const PreparedHead> last_;
};

}  // namespace quadpair::run
