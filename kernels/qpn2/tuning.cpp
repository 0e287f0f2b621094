#include "kernels/qpn2/tuning.hpp"

#include <array>

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"

namespace quadpair::qpn2 {
namespace {

struct Tuned {
  std::uint32_t k, padded_n;
  Tuning tuning;
};

/// The production shapes (plain and gated alike).
constexpr std::array volta_shapes = {
    Tuned{1536, 5120, {8, 2}},  Tuned{4352, 5120, {16, 2}}, Tuned{5120, 3584, {16, 2}},
    Tuned{5120, 4128, {16, 2}}, Tuned{5120, 8704, {8, 2}},
};

/// Measured on an H200. One chain: a warp's several columns keep the matrix units busy.
constexpr std::array native_shapes = {
    Tuned{1536, 5120, {12, 1}}, Tuned{4352, 5120, {12, 1}}, Tuned{5120, 3584, {16, 1}},
    Tuned{5120, 4128, {16, 1}}, Tuned{5120, 8704, {8, 1}},
};

}  // namespace

Tuning tuned(std::uint32_t k, std::uint32_t padded_n, Target target, bool gated) {
  for (const Tuned& shape : target == Target::sm70 ? volta_shapes : native_shapes)
    if (shape.k == k && shape.padded_n == padded_n &&
        !why_refused(0, padded_n, k, shape.tuning, target, gated))
      return shape.tuning;
  for (std::uint32_t split_k : {16u, 8u})
    if (!why_refused(0, padded_n, k, {split_k, 2}, target, gated)) return {split_k, 2};
  throw Refused(*why_refused(0, padded_n, k, {8, 2}, target, gated));
}

}  // namespace quadpair::qpn2
