// NVRTC: one device source file for one target.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/common/target.hpp"
#include "kernels/tools/sources.hpp"

namespace quadpair::tools {

struct Entry {
  std::string name;
  std::uint32_t registers = 0, spill_bytes = 0, local_bytes = 0, shared_bytes = 0, max_threads = 0;
};

struct Compiled {
  std::string ptx, cubin;
  std::vector<Entry> entries;  ///< in the order of the PTX
  std::string toolkit, options;
};

/// Compiles to PTX and cubin, each macro of `defines` defined; `specific`: for sm_90a, say, whose
/// instructions no later architecture has. Throws std::runtime_error with the compiler's log when it fails.
Compiled compile(const Sources& sources, Target target, bool specific,
                 const std::vector<std::string>& defines);

}  // namespace quadpair::tools
