// What one output of a run looked like.
#pragma once

#include <string>

namespace quadpair::run {

struct Fingerprint {
  std::string name;  ///< of the output
  std::string hash;  ///< of its bytes
};

}  // namespace quadpair::run
