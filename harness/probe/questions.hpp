// The sums that a device is asked for: chosen ones that tell the models apart, and random ones.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cases/measured_rows.hpp"
#include "kernels/common/plan.hpp"

namespace quadpair::probe {

/// A question is a row whose d is not known yet.
using Questions = std::vector<cases::MeasuredRow>;

/// The chosen sums that an instruction of this shape can form, each of which tells two models apart or
/// settles a rule that all share (docs/arithmetic.md).
Questions chosen_questions(MmaShape shape);

/// How the numbers of a random row are drawn.
enum class Kind {
  plain,       ///< within a few powers of two
  wide,        ///< every exponent
  cancelling,  ///< large products in pairs of opposite sign, the rest and c small
  rounding,    ///< c large beside the products
  subnormal,   ///< FP16 subnormals; c tiny
  sparse,      ///< mostly zeros of both signs
  special,     ///< infinities and NaN here and there
  bits         ///< every bit pattern
};
inline constexpr Kind all_kinds[] = {Kind::plain,     Kind::wide,   Kind::cancelling, Kind::rounding,
                                     Kind::subnormal, Kind::sparse, Kind::special,    Kind::bits};

/// `count` rows; the same for the same seed on every machine.
Questions random_questions(MmaShape shape, Kind kind, std::size_t count, std::uint64_t seed);

}  // namespace quadpair::probe
