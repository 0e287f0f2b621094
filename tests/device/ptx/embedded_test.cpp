// The modules embedded in the kernel library, against what the compiler said of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/device/emulator/ptx/analysis.hpp"
#include "harness/device/emulator/ptx/parser.hpp"
#include "kernels/common/module.hpp"

namespace quadpair::ptx {
namespace {

TEST(EmbeddedModules, AgreeWithTheCompilersFigures) {
  ASSERT_FALSE(modules().empty());
  for (const Module& module : modules()) {
    const Program program = parse(module.ptx, module.name);
    const bool by_warpgroups = module.name == "wide/tm_gemm" || module.name == "dense/gemm";
    EXPECT_EQ(program.target, "sm_" + std::string(to_string(module.target).substr(2)) +
                                  (by_warpgroups && module.target == Target::sm90 ? "a" : ""));
    EXPECT_EQ(program.entries.size(), module.kernels.size()) << module.name;
    for (const KernelInfo& info : module.kernels) {
      const auto entry = std::find_if(program.entries.begin(), program.entries.end(),
                                      [&](const Entry& one) { return one.name == info.entry; });
      ASSERT_NE(entry, program.entries.end()) << info.entry;
      EXPECT_EQ(entry->shared_bytes, info.shared_bytes) << info.entry;
      EXPECT_EQ(entry->max_threads, info.max_threads) << info.entry;
    }
  }
}

TEST(EmbeddedModules, EveryInstructionHasASourceLineAndAPlaceInTheFlow) {
  for (const Module& module : modules())
    for (const Entry& entry : parse(module.ptx, module.name).entries) {
      const ControlFlow flow = control_flow(entry);
      const Slots slots = allocate_slots(entry, flow);
      EXPECT_LT(slots.bytes, 32u << 10)
          << entry.name << ": a warp's registers should fit the first-level cache";
      for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
        const Block& block = flow.blocks[flow.block_of[i]];
        EXPECT_TRUE(block.first <= i && i < block.end) << entry.name;
        EXPECT_NE(entry.instructions[i].source_file, 0u) << entry.instructions[i].text;
      }
    }
}

}  // namespace
}  // namespace quadpair::ptx
