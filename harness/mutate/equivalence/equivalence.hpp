// Damages that change nothing, proved from the code alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/device/emulator/ptx/ir.hpp"
#include "harness/mutate/equivalence/facts.hpp"
#include "harness/mutate/equivalence/half_function.hpp"

namespace quadpair::mutate {

/// Why nothing can change.
enum class Proof {
  unreached,     ///< no branch leads to the instruction
  same_guard,    ///< the guard says the same in every lane at all times, and both are executed, or neither
  unneeded,      ///< nothing that is computed from the result is stored, an address, or decides a branch
  same_test,     ///< both comparisons say the same for all that their operands may be
  same_sign,     ///< no operand can be a negative number
  same_bits,     ///< each bit of the result is the same, be it known or a bit of the same register
  same_source,   ///< the registers that were exchanged hold the same constant, or the same special register
  same_function  ///< a 16-bit number computed from it and one other is the same for all 65,536 of these
};

inline constexpr Proof all_proofs[] = {Proof::unreached,  Proof::same_guard, Proof::unneeded,
                                       Proof::same_test,  Proof::same_sign,  Proof::same_bits,
                                       Proof::same_source};

std::string_view to_string(Proof proof);
/// As a sentence.
std::string_view explanation(Proof proof);

class Equivalence {
 public:
  /// Both outlive it.
  Equivalence(const ptx::Entry& entry, const Facts& facts)
      : entry_(entry), facts_(facts), functions_(entry, facts) {}

  /// Proves that the entry computes the same with `damaged` in the place of its instruction `index`; null
  /// where it is left out. Nothing: it could not, which says nothing. Quickest for one index after the other.
  std::optional<Proof> proof(std::size_t index, const ptx::Instruction* damaged);

 private:
  const ptx::Entry& entry_;
  const Facts& facts_;
  HalfFunctions functions_;
  std::optional<std::size_t> index_;
  Known known_;               ///< before the instruction `index_`
  std::vector<bool> needed_;  ///< after it
};

}  // namespace quadpair::mutate
