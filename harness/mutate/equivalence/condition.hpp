// What a branch tells of the registers that were compared for it.
#pragma once

#include <optional>

#include "harness/mutate/equivalence/comparison.hpp"
#include "harness/mutate/equivalence/evaluate.hpp"

namespace quadpair::mutate {

class Condition {
 public:
  /// Nothing for what is no comparison of unsigned numbers, or of signed ones for equality.
  static std::optional<Condition> of(const ptx::Instruction& comparison);

  /// Whether the instruction writes a register that was compared.
  bool ends_with(const ptx::Instruction& instruction) const;

  /// Narrows what is known to where the comparison has that outcome; false where it never has.
  bool assume(bool outcome, Known& known) const;

 private:
  explicit Condition(Comparison comparison) : comparison_(std::move(comparison)) {}
  Comparison comparison_;
};

}  // namespace quadpair::mutate
