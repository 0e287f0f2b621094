#include "harness/device/emulator/ptx/post_dominators.hpp"

#include <utility>

namespace quadpair::ptx {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

/// The reversed graph, entered at the exit, and the postorder of a walk over it.
class ReverseWalk {
 public:
  ReverseWalk(const std::vector<Block>& blocks, std::vector<bool>& ends)
      : predecessors(blocks.size()), number(blocks.size() + 1, none), seen_(blocks.size()) {
    const auto exit = static_cast<std::uint32_t>(blocks.size());
    for (std::uint32_t block = 0; block < exit; ++block)
      for (std::uint32_t successor : blocks[block].successors) predecessors[successor].push_back(block);
    for (std::uint32_t block = 0; block < exit; ++block)
      if (ends[block]) walk_from(block);
    for (std::uint32_t block = exit; block-- > 0;) {
      if (seen_[block]) continue;
      ends[block] = true;
      walk_from(block);
    }
    finish(exit);
  }

  std::vector<std::vector<std::uint32_t>> predecessors;
  std::vector<std::uint32_t> order;   ///< blocks in postorder, the exit last
  std::vector<std::uint32_t> number;  ///< place of each block in `order`

 private:
  void walk_from(std::uint32_t root) {
    if (seen_[root]) return;
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};  // block, predecessors done
    seen_[root] = true;
    while (!path.empty()) {
      const auto [block, done] = path.back();
      if (done == predecessors[block].size()) {
        finish(block);
        path.pop_back();
        continue;
      }
      ++path.back().second;
      const std::uint32_t next = predecessors[block][done];
      if (seen_[next]) continue;
      seen_[next] = true;
      path.emplace_back(next, 0);
    }
  }

  void finish(std::uint32_t block) {
    number[block] = static_cast<std::uint32_t>(order.size());
    order.push_back(block);
  }

  std::vector<bool> seen_;
};

}  // namespace

std::vector<std::uint32_t> post_dominators(const std::vector<Block>& blocks, std::vector<bool> ends) {
  const auto exit = static_cast<std::uint32_t>(blocks.size());
  const ReverseWalk walk(blocks, ends);
  std::vector<std::uint32_t> immediate(blocks.size() + 1, none);
  immediate[exit] = exit;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (walk.number[a] < walk.number[b]) a = immediate[a];
      while (walk.number[b] < walk.number[a]) b = immediate[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = walk.order.size() - 1; i-- > 0;) {
      const std::uint32_t block = walk.order[i];
      std::uint32_t now = ends[block] ? exit : none;
      for (std::uint32_t successor : blocks[block].successors)
        if (immediate[successor] != none) now = now == none ? successor : meet(now, successor);
      changed |= immediate[block] != now;
      immediate[block] = now;
    }
  }
  immediate.pop_back();
  return immediate;
}

}  // namespace quadpair::ptx
