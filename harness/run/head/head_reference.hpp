// An LM head on the CPU: screening, rerank and dense logits, and what screening lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/run/head/head_on_device.hpp"

namespace quadpair::run {

/// The reference's results of a case, and what is known of its screening.
class HeadReference {
 public:
  HeadReference(const HeadProblem& problem, const PreparedHead& prepared, const AccumulationPlan& plan)
      : problem_(problem), prepared_(prepared), head_(*prepared.head), plan_(plan) {}

  /// What one round of inputs, FP16 [m, ldx], must give; counts the rows that are screened.
  HeadOutput round(const std::vector<std::uint16_t>& x);
  /// Over all rounds so far.
  reports::ScreeningRecord screening() const { return screening_; }

 private:
  HeadOutput top1_round(const std::vector<std::uint16_t>& x) const;
  void judge_row(const HeadOutput& output, std::uint32_t row, const std::vector<float>& dense,
                 std::span<const std::uint16_t> x);

  const HeadProblem& problem_;
  const PreparedHead& prepared_;
  const cases::HeadMatrix& head_;
  const AccumulationPlan& plan_;
  reports::ScreeningRecord screening_;
};

}  // namespace quadpair::run
