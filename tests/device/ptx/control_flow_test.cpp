// Blocks, successors and immediate post-dominators of graphs worked out by hand.
#include <gmock/gmock.h>

#include <random>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/post_dominators.hpp"
#include "tests/device/ptx/text.hpp"

namespace quadpair::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ControlFlow flow_of(const std::string& body) {
  return control_flow(entry_of(body));
}

std::vector<std::vector<std::uint32_t>> successors(const ControlFlow& flow) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const Block& block : flow.blocks) all.push_back(block.successors);
  return all;
}

TEST(ControlFlow, StraightLineIsOneBlock) {
  const ControlFlow flow = flow_of("mov.u32 %r0, 1; bar.sync 0; mov.u32 %r1, 2; ret;");
  ASSERT_EQ(flow.blocks.size(), 1u);
  EXPECT_EQ(flow.blocks[0].first, 0u);
  EXPECT_EQ(flow.blocks[0].end, 4u);
  EXPECT_THAT(flow.post_dominator, ElementsAre(1));
}

TEST(ControlFlow, NoInstructionsNoBlocks) {
  EXPECT_THAT(flow_of("").blocks, IsEmpty());
  EXPECT_THAT(flow_of("L:").post_dominator, IsEmpty());
}

TEST(ControlFlow, IfWithoutElse) {
  const ControlFlow flow = flow_of("@%p0 bra JOIN; mov.u32 %r0, 1; JOIN: ret;");
  EXPECT_THAT(successors(flow), ElementsAre(ElementsAre(1, 2), ElementsAre(2), IsEmpty()));
  EXPECT_THAT(flow.post_dominator, ElementsAre(2, 2, 3));
  EXPECT_THAT(flow.block_of, ElementsAre(0, 1, 2));
}

TEST(ControlFlow, IfElse) {
  const ControlFlow flow =
      flow_of("@%p0 bra ELSE; mov.u32 %r0, 1; bra.uni JOIN; ELSE: mov.u32 %r0, 2; JOIN: ret;");
  EXPECT_THAT(successors(flow), ElementsAre(ElementsAre(1, 2), ElementsAre(3), ElementsAre(3), IsEmpty()));
  EXPECT_THAT(flow.post_dominator, ElementsAre(3, 3, 3, 4));
}

TEST(ControlFlow, NestedIfElse) {
  const ControlFlow flow = flow_of(
      "@%p0 bra C;"                    // 0
      "@%p1 bra B;"                    // 1
      "mov.u32 %r0, 1; bra.uni D;"     // 2
      "B: mov.u32 %r0, 2;"             // 3
      "D: mov.u32 %r1, 1; bra.uni E;"  // 4
      "C: mov.u32 %r0, 3;"             // 5
      "E: ret;");                      // 6
  EXPECT_THAT(flow.post_dominator, ElementsAre(6, 4, 4, 4, 6, 6, 7));
}

TEST(ControlFlow, LoopWithBreak) {
  const ControlFlow flow = flow_of(
      "mov.u32 %r0, 0;"                          // 0
      "TOP: @%p0 bra OUT;"                       // 1
      "add.s32 %r0, %r0, 1; @%p1 bra NEXT;"      // 2
      "bra.uni OUT;"                             // 3
      "NEXT: add.s32 %r0, %r0, 1; bra.uni TOP;"  // 4
      "OUT: ret;");                              // 5
  EXPECT_THAT(successors(flow), ElementsAre(ElementsAre(1), ElementsAre(2, 5), ElementsAre(3, 4),
                                            ElementsAre(5), ElementsAre(1), IsEmpty()));
  EXPECT_THAT(flow.post_dominator, ElementsAre(1, 5, 5, 5, 1, 6));
}

TEST(ControlFlow, LoopsInALoop) {
  const ControlFlow flow = flow_of(
      "mov.u32 %r0, 0;"                              // 0
      "OUTER: mov.u32 %r1, 0;"                       // 1
      "INNER: add.s32 %r1, %r1, 1; @%p0 bra INNER;"  // 2
      "add.s32 %r0, %r0, 1; @%p1 bra OUTER;"         // 3
      "ret;");                                       // 4
  EXPECT_THAT(flow.post_dominator, ElementsAre(1, 2, 3, 4, 5));
}

// Two blocks that jump into each other's middle: a loop with two entrances.
TEST(ControlFlow, Irreducible) {
  const ControlFlow flow = flow_of(
      "@%p0 bra B;"       // 0
      "A: @%p1 bra OUT;"  // 1
      "mov.u32 %r0, 1;"   // 2
      "B: @%p2 bra A;"    // 3
      "mov.u32 %r1, 1;"   // 4
      "OUT: ret;");       // 5
  EXPECT_THAT(successors(flow), ElementsAre(ElementsAre(1, 3), ElementsAre(2, 5), ElementsAre(3),
                                            ElementsAre(4, 1), ElementsAre(5), IsEmpty()));
  EXPECT_THAT(flow.post_dominator, ElementsAre(5, 5, 3, 5, 5, 6));
}

TEST(ControlFlow, EarlyReturnsJoinAtTheExit) {
  const ControlFlow flow = flow_of("@%p0 bra A; @%p1 ret; mov.u32 %r0, 1; ret; A: mov.u32 %r0, 2; exit;");
  EXPECT_THAT(successors(flow), ElementsAre(ElementsAre(1, 3), ElementsAre(2), IsEmpty(), IsEmpty()));
  EXPECT_THAT(flow.post_dominator, ElementsAre(4, 4, 4, 4));
}

TEST(ControlFlow, BranchToTheEndIsAReturn) {
  const ControlFlow flow = flow_of("@%p0 bra END; mov.u32 %r0, 1; END:");
  EXPECT_THAT(successors(flow), ElementsAre(ElementsAre(1), IsEmpty()));
  EXPECT_THAT(flow.post_dominator, ElementsAre(2, 2));
}

TEST(ControlFlow, BranchToTheNextInstruction) {
  const ControlFlow flow = flow_of("@%p0 bra NEXT; NEXT: ret;");
  EXPECT_THAT(successors(flow), ElementsAre(ElementsAre(1), IsEmpty()));
}

// Paths within an endless loop still join; paths from outside join at the exit.
TEST(ControlFlow, EndlessLoop) {
  const ControlFlow flow = flow_of(
      "@%p0 bra DONE;"                  // 0
      "TOP: @%p1 bra ELSE;"             // 1
      "mov.u32 %r0, 1; bra.uni JOIN;"   // 2
      "ELSE: mov.u32 %r0, 2;"           // 3
      "JOIN: bar.sync 0; bra.uni TOP;"  // 4
      "DONE: ret;");                    // 5
  EXPECT_THAT(flow.post_dominator, ElementsAre(6, 4, 4, 4, 6, 6));
}

TEST(ControlFlow, UnreachableBlockHasAPostDominator) {
  EXPECT_THAT(flow_of("bra OUT; mov.u32 %r0, 1; OUT: ret;").post_dominator, ElementsAre(2, 2, 3));
}

/// Whether every path from `from` to the exit passes `through`: by removing it and searching.
bool all_paths_pass(const std::vector<Block>& blocks, const std::vector<bool>& ends, std::uint32_t from,
                    std::uint32_t through) {
  if (from == through) return true;
  std::vector<bool> seen(blocks.size());
  std::vector<std::uint32_t> work{from};
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    if (block == through || seen[block]) continue;
    seen[block] = true;
    if (ends[block]) return false;
    work.insert(work.end(), blocks[block].successors.begin(), blocks[block].successors.end());
  }
  return true;
}

// The definition, checked on random graphs in which each block can reach the exit: the immediate
// post-dominator is the strict post-dominator that all other strict post-dominators post-dominate.
TEST(PostDominators, MeetTheirDefinitionOnRandomGraphs) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t count = 2 + random() % 9;
    std::vector<Block> blocks(count);
    std::vector<bool> ends(count);
    for (std::uint32_t b = 0; b + 1 < count; ++b) {
      blocks[b].successors = {b + 1};  // so that the exit is reached
      const std::uint32_t other = random() % count;
      if (random() % 4 != 0 && other != b + 1) blocks[b].successors.push_back(other);
      ends[b] = random() % 8 == 0;
    }
    ends[count - 1] = true;
    const std::vector<std::uint32_t> found = post_dominators(blocks, ends);
    for (std::uint32_t b = 0; b < count; ++b) {
      std::uint32_t expected = count;
      for (std::uint32_t d = 0; d < count; ++d) {
        if (d == b || !all_paths_pass(blocks, ends, b, d)) continue;
        if (expected == count || all_paths_pass(blocks, ends, d, expected)) expected = d;
      }
      // `expected` must be the nearest: every other post-dominator of b also post-dominates it.
      for (std::uint32_t d = 0; d < count; ++d) {
        if (d == b || expected == count || !all_paths_pass(blocks, ends, b, d)) continue;
        if (!all_paths_pass(blocks, ends, expected, d)) expected = d;
      }
      EXPECT_EQ(found[b], expected) << "round " << round << ", block " << b;
    }
  }
}

}  // namespace
}  // namespace quadpair::ptx
