// An LM head on the CPU: screening, rerank and dense logits, and what screening lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/run/head/head_output.hpp"
#include "harness/run/head/prepared_head.hpp"
#include "reference/oracle/oracle.hpp"
#include "reports/record.hpp"

namespace quadpair::run {

/// What reference and oracle say of one round of inputs.
struct HeadExpected {
  HeadOutput output;
  reference::OracleResult logits;  ///< [m, n], of the tensor cores
  reference::OracleResult dense;   ///< [m, n]; empty for top-1
};

/// The reference's results of a case, and what is known of its screening.
class HeadReference {
 public:
  HeadReference(const HeadProblem& problem, const PreparedHead& prepared, const AccumulationPlan& plan)
      : problem_(problem), prepared_(prepared), head_(*prepared.head), plan_(plan) {}

  /// What one round of inputs, FP16 [m, ldx], must give; counts the rows that are screened.
  HeadOutput round(const std::vector<std::uint16_t>& x);
  /// The same, and the FP64 values of its logits.
  HeadExpected expect(const std::vector<std::uint16_t>& x);
  /// Over all rounds so far.
  reports::ScreeningRecord screening() const { return screening_; }

 private:
  HeadOutput top1_round(const std::vector<std::uint16_t>& x) const;
  HeadOutput screened_round(const std::vector<std::uint16_t>& x);
  void judge_row(const HeadOutput& output, std::uint32_t row, const std::vector<float>& dense,
                 std::span<const std::uint16_t> x);

  const HeadProblem& problem_;
  const PreparedHead& prepared_;
  const cases::HeadMatrix& head_;
  const AccumulationPlan& plan_;
  reports::ScreeningRecord screening_;
};

}  // namespace quadpair::run
