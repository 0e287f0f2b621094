// tm_gemm by warpgroups with one of its orderings taken out of the compiled code: the emulator finds each.
#include <gmock/gmock.h>

#include "harness/device/device.hpp"
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

/// What the sanitizer says of the changed kernel over nine units of k, more than twice the stages.
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
  std::vector<Launch> launches = tm_gemm(a, tuning, Target::sm90);
  const std::string ptx = changed(launches.at(0).module->ptx, launches[0].entry, what, instead);
  Module module = *launches[0].module;
  module.ptx = ptx;
  module.ptx_sha256 = what.empty() ? "sound" : "damaged";
  launches[0].module = &module;
  try {
    device->run(launches);
  } catch (const device::Fault& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(DamagedWarpgroups, NothingOfTheSoundKernel) {
  for (const KernelInfo& kernel : find_module("wide/tm_gemm", Target::sm90).kernels) {
    std::string text(kernel.entry);
    const std::string prefix = "tm_gemm_persistent_";
    if (!text.starts_with(prefix) || !text.ends_with("_wgmma")) continue;
    text = text.substr(prefix.size());
    text[text.find('_')] = '.';
    EXPECT_EQ(fault_of("", "", tuning_from_string(text).value()), "no fault") << text;
  }
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

}  // namespace
}  // namespace quadpair::wide
