// Kernels that multiply by warpgroups, with one of their orderings taken out of the compiled code: the
// emulator finds each.
#include <gmock/gmock.h>

#include "harness/device/device.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/wide/tm_gemm.hpp"
#include "tests/kernels/emulated/emulated.hpp"

namespace quadpair::wide {
namespace {

using namespace emulated;
using testing::AnyOf;
using testing::HasSubstr;

/// The module's PTX with one entry alone, in which every `what` has become `instead`.
std::string changed(std::string_view ptx, const std::string& entry, const std::string& what,
                    const std::string& instead) {
  const std::size_t head = ptx.find(".visible .entry"), begin = ptx.find(".visible .entry " + entry + "(");
  std::string text(ptx.substr(0, head));
  text += ptx.substr(begin, ptx.find("\n}", begin) + 3 - begin);
  std::size_t times = 0;
  for (std::size_t at = text.find(what, head); !what.empty() && at != std::string::npos;
       at = text.find(what, at + instead.size())) {
    text.replace(at, what.size(), instead);
    ++times;
  }
  EXPECT_TRUE(what.empty() || times > 0) << what;
  return text;
}

/// What the sanitizer says of a launch of the changed kernel.
std::string fault_of(device::Device& device, Launch launch, const std::string& what,
                     const std::string& instead) {
  const std::string ptx = changed(launch.module->ptx, launch.entry, what, instead);
  Module module = *launch.module;
  module.ptx = ptx;
  module.ptx_sha256 = what.empty() ? "sound" : "damaged";
  launch.module = &module;
  try {
    device.run(std::vector{launch});
  } catch (const device::Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

/// Of tm_gemm over nine units of k, more than twice the stages.
std::string fault_of(const std::string& what, const std::string& instead,
                     Tuning tuning = {96, 128, 1, true}) {
  constexpr std::uint32_t m = 160, n = 288, k = 576;
  const auto device =
      device::make_emulator({.model = model_of(Target::sm90), .threads = 1, .sanitize = true});
  const auto codes = input(*device, "codes", std::vector<std::uint32_t>(n * k / 8, 0x12345678)),
             scales = input(*device, "scales", std::vector<std::uint16_t>(n * k / 16, 0x3C00)),
             x = input(*device, "x", std::vector<std::uint16_t>(m * k, 0x3C00)),
             y = output(*device, "y", m * n * 2);
  TmGemmArguments a;
  a.m = m, a.n = n, a.k = k, a.ldx = k, a.ldy = n;
  a.codes = codes->address(), a.scales = scales->address(), a.x = x->address(), a.y = y->address();
  return fault_of(*device, tm_gemm(a, tuning, Target::sm90).at(0), what, instead);
}

/// The same of the dense kernel.
std::string dense_fault_of(const std::string& what, const std::string& instead,
                           Tuning tuning = {128, 192, 1, true}) {
  constexpr std::uint32_t m = 160, n = 200, k = 768;
  const auto device =
      device::make_emulator({.model = model_of(Target::sm90), .threads = 1, .sanitize = true});
  const auto x = input(*device, "x", std::vector<std::uint16_t>(m * k, 0x3C00)),
             w = input(*device, "w", std::vector<std::uint16_t>(n * k, 0x3C00)),
             y = output(*device, "y", m * n * 2);
  const dense::GemmArguments a{m, n, k, x->address(), k, w->address(), y->address(), n};
  return fault_of(*device, dense::gemm(a, tuning, Target::sm90).at(0), what, instead);
}

/// The tiles by warpgroups among a module's entries that begin so.
std::vector<Tuning> tiles_of(const char* module, const std::string& prefix) {
  std::vector<Tuning> tiles;
  for (const KernelInfo& kernel : find_module(module, Target::sm90).kernels) {
    std::string text(kernel.entry);
    if (!text.starts_with(prefix) || !text.ends_with("_wgmma")) continue;
    text = text.substr(prefix.size());
    text[text.find('_')] = '.';
    tiles.push_back(tuning_from_string(text).value());
  }
  return tiles;
}

TEST(DamagedWarpgroups, NothingOfTheSoundKernel) {
  for (const Tuning tile : tiles_of("wide/tm_gemm", "tm_gemm_persistent_"))
    EXPECT_EQ(fault_of("", "", tile), "no fault") << to_string(tile);
  const std::vector<Tuning> dense = tiles_of("dense/gemm", "dense_gemm_");
  EXPECT_EQ(dense.size(), 3u);
  for (const Tuning tile : dense) EXPECT_EQ(dense_fault_of("", "", tile), "no fault") << to_string(tile);
}

TEST(DamagedWarpgroups, Registers) {
  EXPECT_THAT(fault_of("wgmma.fence.sync.aligned;", ""), HasSubstr("touched since the last wgmma.fence"));
  EXPECT_THAT(fault_of("wgmma.commit_group.sync.aligned;", ""), HasSubstr("not waited for"));
  EXPECT_THAT(fault_of("wgmma.wait_group.sync.aligned 0;", ""), HasSubstr("a sum of a wgmma not waited for"));
  EXPECT_THAT(fault_of("wgmma.wait_group.sync.aligned 1;", ""), HasSubstr("writes register"));
  EXPECT_THAT(fault_of("wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 2;"),
              HasSubstr("writes register"));
}

TEST(DamagedWarpgroups, RowsInSharedMemory) {
  EXPECT_THAT(fault_of("fence.proxy.async.shared::cta;", ""), HasSubstr("no fence.proxy.async between"));
  EXPECT_THAT(fault_of("bar.sync", "bar.arrive"),
              AnyOf(HasSubstr("no barrier between"), HasSubstr("a second arrival")));
  EXPECT_THAT(fault_of("bar.arrive", "bar.sync"), HasSubstr("threads, at which"));
}

TEST(DamagedWarpgroups, CopiesOfTheDenseKernel) {
  EXPECT_THAT(dense_fault_of("wgmma.fence.sync.aligned;", ""),
              HasSubstr("touched since the last wgmma.fence"));
  EXPECT_THAT(dense_fault_of("fence.proxy.async.shared::cta;", ""),
              HasSubstr("no fence.proxy.async between"));
  EXPECT_THAT(dense_fault_of("cp.async.wait_group 2;", "cp.async.wait_group 3;"),
              HasSubstr("is still to write there"));
  EXPECT_THAT(dense_fault_of("wgmma.wait_group.sync.aligned 1;", "wgmma.wait_group.sync.aligned 2;"),
              HasSubstr("no barrier between"));
  EXPECT_THAT(dense_fault_of("bar.arrive", "bar.sync"), HasSubstr("threads, at which"));
}

}  // namespace
}  // namespace quadpair::wide
