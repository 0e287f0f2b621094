// Immediate post-dominators of a control flow graph.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/device/emulator/ptx/analysis.hpp"

namespace quadpair::ptx {

/// The immediate post-dominator of each block; blocks.size() stands for the exit, which the blocks with
/// `ends` set lead to. An endless loop is taken to leave, though it never does, from its last block in
/// program order, so that the paths within it still join. Algorithm: Cooper, Harvey, Kennedy, "A Simple, Fast
/// Dominance Algorithm" (2001), on the reversed graph.
std::vector<std::uint32_t> post_dominators(const std::vector<Block>& blocks, std::vector<bool> ends);

}  // namespace quadpair::ptx
