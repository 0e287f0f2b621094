// The arithmetic that a target's kernels were written for.
#pragma once

#include "kernels/common/target.hpp"
#include "reference/tensor_core/model.hpp"

namespace quadpair::emulated {

inline reference::Model model_of(Target target) {
  switch (target) {
    case Target::sm70: return reference::Model::volta;
    case Target::sm80: return reference::Model::ampere;
    case Target::sm90: return reference::Model::hopper;
  }
  return reference::Model::volta;
}

}  // namespace quadpair::emulated
