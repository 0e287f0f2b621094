// How many threads work on the CPU.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>

namespace quadpair::device {

/// As many as are wanted, at most one a core; with 0, one a core.
inline unsigned thread_count(unsigned wanted) {
  const auto cores = static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
  return wanted == 0 ? cores : std::min(wanted, cores);
}

}  // namespace quadpair::device
