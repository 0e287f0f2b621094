// What a candidate is held against.
#pragma once

#include <optional>
#include <string>

#include "kernels/common/target.hpp"
#include "kernels/qpn2/tuning.hpp"

namespace quadpair::bench {

struct Control {
  enum class Kind {
    stream,  ///< a plain read of the same weights: the floor
    cublas,  ///< an FP16 product over the decoded weights
    kernel   ///< the same operator by another kernel of the project
  };
  std::string name = "stream";
  Kind kind = Kind::stream;
  std::optional<Target> target{};        ///< of a kernel: another target's, with its own tuning
  std::optional<qpn2::Tuning> tuning{};  ///< of a kernel: the same target's with this tuning
  std::optional<std::string> tile{};     ///< of tm_gemm: the same target's with this tuning
  std::optional<std::string> layout{};   ///< of a kernel: the same over weights stored so
};

/// "stream", "cublas", a target ("sm70"), a tuning ("s8.c1", of tm_gemm
/// "64x128.s2") or a layout ("dual"). Throws
/// std::invalid_argument.
Control parse_control(const std::string& name);

}  // namespace quadpair::bench
