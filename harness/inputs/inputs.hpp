// The inputs of a case, made from its description and the seed alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cases/heads.hpp"
#include "cases/suite.hpp"

namespace quadpair::inputs {

struct Inputs {
  std::shared_ptr<const cases::QuantizedMatrix> weights;
  std::uint32_t m = 0, ldx = 0;
  std::vector<std::uint16_t>
      x;  ///< FP16 [m, ldx]; columns past k hold NaN bait that no kernel may read as data
};

/// Names of the activation fills: real, heavy, cancel, subnormal, normal, exact (sums exact in any order),
/// special (infinities and NaN among normal numbers), onehot, bits (every FP16 pattern in turn), gates (where
/// silu is about to round the other way), hidden (LM heads).
std::vector<std::string> fill_names();

/// `round` 0 is the eager input; 1, 2, ... are the changed inputs of replays: other rows of real
/// activations, other seeds of made-up ones. The same (case, seed, round) gives the same bytes anywhere.
/// Every target, model, plan and M of one slice and fill gets the same rows, as many as it has.
/// Throws DataError for an unknown slice or fill, and for `real` where the slice has no activations.
Inputs make_inputs(const cases::Case& c, std::uint64_t seed, unsigned round);

/// As above with the slice's weights already loaded (with the same seed).
Inputs make_inputs(const cases::Case& c, std::shared_ptr<const cases::QuantizedMatrix> weights,
                   std::uint64_t seed, unsigned round);

/// Rows of x for a case of an LM head, FP16 [m, ldx] with the same bait: fill "hidden", or one of the others
/// that look at no weights.
std::vector<std::uint16_t> make_head_inputs(const cases::Case& c, const cases::HeadMatrix& head,
                                            std::uint64_t seed, unsigned round);

}  // namespace quadpair::inputs
