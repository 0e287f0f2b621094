// Sectors and bank conflicts of single accesses in many patterns, against what a GPU's profiler counted of
// them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

/// The access of each kernel of tools/access_patterns.cu: at %g in global memory, %s in shared memory, %t in
/// that to which copies go.
const std::map<std::string, std::string> accesses = {
    {"load_shared_4", "ld.shared.u32 %v0, [%s];"},
    {"load_shared_8", "ld.shared.v2.u32 {%v0, %v1}, [%s];"},
    {"load_shared_16", "ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [%s];"},
    {"store_shared_4", "st.shared.u32 [%s], %v0;"},
    {"store_shared_8", "st.shared.v2.u32 [%s], {%v0, %v1};"},
    {"store_shared_16", "st.shared.v4.u32 [%s], {%v0, %v1, %v2, %v3};"},
    {"load_global_4", "ld.global.u32 %v0, [%g];"},
    {"load_global_8", "ld.global.v2.u32 {%v0, %v1}, [%g];"},
    {"load_global_16", "ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%g];"},
    {"store_global_4", "st.global.u32 [%g], %v0;"},
    {"store_global_8", "st.global.v2.u32 [%g], {%v0, %v1};"},
    {"store_global_16", "st.global.v4.u32 [%g], {%v0, %v1, %v2, %v3};"},
    {"copy_4", "cp.async.ca.shared.global [%t], [%g], 4;"},
    {"copy_8", "cp.async.ca.shared.global [%t], [%g], 8;"},
    {"copy_16", "cp.async.cg.shared.global [%t], [%g], 16;"}};

constexpr std::uint64_t sectors_of_places = 8;  ///< two reads of 128 bytes

/// The kernel with that access; its lanes take part whose places are not negative.
std::unique_ptr<KernelRunner> runner(const std::string& access) {
  return std::make_unique<KernelRunner>(
      fmt::format(
          ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 places, .param .u64 "
          "memory) {{\n"
          ".reg .b64 %p, %g, %i; .reg .b32 %l, %s, %t, %v<4>; .reg .pred %on; .shared .align 16 .b8 "
          "words[16400];\n"
          "ld.param.u64 %p, [places]; ld.param.u64 %g, [memory]; mov.u32 %l, %laneid; mul.wide.u32 %i, %l, "
          "4; "
          "add.u64 %p, %p, %i;\n"
          "ld.global.u32 %s, [%p]; ld.global.u32 %t, [%p + 128]; cvt.u64.u32 %i, %s; add.u64 %g, %g, %i;\n"
          "mov.u32 %v0, 0; mov.u32 %v1, 0; mov.u32 %v2, 0; mov.u32 %v3, 0; setp.ge.s32 %on, %s, 0;\n"
          "@%on {}\ncp.async.wait_all;\nret;\n}}\n",
          access),
      Target::sm80, EmulatorOptions{.model = reference::Model::ampere, .threads = 1});
}

/// Pairs of a 128-byte line read and a 32-byte sector of shared memory written: what the profiler counts of
/// copies of 16 bytes, in place of the sectors that they read.
std::size_t requests(const std::vector<std::int32_t>& places) {
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (places[lane] >= 0) pairs.emplace(places[lane] / 128, places[lane + 32] / 32);
  return pairs.size();
}

TEST(AccessPatterns, CostWhatAGpusProfilerCounts) {
  std::ifstream file(std::string(QUADPAIR_TEST_DATA) + "/../reports/baselines/h200/access-patterns.json");
  const nlohmann::json record = nlohmann::json::parse(file);
  std::map<std::string, std::unique_ptr<KernelRunner>> runners;
  for (const auto& [name, access] : accesses) runners.emplace(name, runner(access));
  ASSERT_GT(record.at("accesses").size(), 1400u);
  for (const nlohmann::json& access : record.at("accesses")) {
    const std::string name = access.at("kernel");
    KernelRunner& kernel = *runners.at(name);
    std::vector<std::int32_t> places = access.at("places");
    places.resize(64);
    const auto table = kernel.input(places);
    const auto memory = kernel.filled("memory", std::vector<std::uint8_t>(16384), Access::output);
    kernel.run({1}, {32}, Arguments().add(table->address()).add(memory->address()));
    const Cost cost = kernel.device().take_cost().value();
    EXPECT_EQ(name == "copy_16" ? requests(places) : cost.global_sectors - sectors_of_places,
              access.at("sectors"))
        << access;
    // Conflicts of copies follow other rules (docs/emulator.md).
    if (!name.starts_with("copy")) EXPECT_EQ(cost.shared_conflicts, access.at("conflicts")) << access;
  }
}

}  // namespace
}  // namespace quadpair::device
