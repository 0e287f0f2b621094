// What a benchmark needs to know besides its cases.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "harness/bench/control.hpp"
#include "harness/run/options.hpp"
#include "harness/timing/sampling.hpp"

namespace quadpair::bench {

/// The arithmetic that the device gives to code of a target, in a case of that model; nothing where it does
/// not run such code.
using ArithmeticOf = std::function<std::optional<reference::Model>(Target target, reference::Model model)>;

struct Options {
  run::Options run;
  Control control;
  ArithmeticOf arithmetic;
  bool early_start = false;   ///< the candidate by programmatic dependent launch; the control never
  std::uint32_t tensors = 0;  ///< distinct tensors that rotate, 1: a hot cache; 0: as many as keep it cold
  timing::Protocol protocol{};
};

}  // namespace quadpair::bench
