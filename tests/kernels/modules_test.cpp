// The embedded modules: complete, hashed, free of spills and of the build machine's paths.
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "kernels/common/error.hpp"
#include "kernels/common/module.hpp"

namespace quadpair {
namespace {

std::string sha256(const void* data, std::size_t size) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(static_cast<const unsigned char*>(data), size, digest);
  std::string hex;
  for (unsigned char byte : digest) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

TEST(Modules, EveryStemForEveryTargetInOrder) {
  std::vector<std::pair<std::string_view, Target>> found, expected;
  for (const Module& module : modules()) found.emplace_back(module.name, module.target);
  for (std::string_view name :
       {"bench/stream", "convert/pack_qpn2", "convert/turbomind", "dense/decode", "dense/gemm",
        "lm_head/dense", "lm_head/pack_head", "lm_head/rerank", "lm_head/screen", "lm_head/top1", "probe/mma",
        "qpn2/gated", "qpn2/gemm", "qpn8/gemm", "qpn8/pack", "qpn8/quantize", "wide/silu_and_mul",
        "wide/tm_gemm"})
    for (Target target : {Target::sm70, Target::sm80, Target::sm90}) expected.emplace_back(name, target);
  EXPECT_EQ(found, expected);
}

TEST(Modules, HashesAreOfTheBytes) {
  for (const Module& module : modules()) {
    EXPECT_EQ(module.ptx_sha256, sha256(module.ptx.data(), module.ptx.size())) << module.name;
    EXPECT_EQ(module.cubin_sha256, sha256(module.cubin.data(), module.cubin.size())) << module.name;
    EXPECT_EQ(module.ptx.find('\0'), std::string_view::npos);
    EXPECT_EQ(module.ptx.data()[module.ptx.size()], '\0');
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(module.cubin.data()), 4),
              "\x7f"
              "ELF");
    EXPECT_EQ(module.toolkit.substr(0, 11), "NVRTC 12.8.");
  }
}

TEST(Modules, PtxIsOfItsTarget) {
  for (const Module& module : modules()) {
    const bool warpgroups =
        (module.name == "wide/tm_gemm" || module.name == "dense/gemm") && module.target == Target::sm90;
    const std::string directive =
        ".target sm_" + std::string(to_string(module.target).substr(2)) + (warpgroups ? "a\n" : "\n");
    EXPECT_NE(module.ptx.find(directive), std::string_view::npos) << module.name;
    const bool native = module.target != Target::sm70, probes = module.name == "probe/mma",
               multiplies = module.name.starts_with("qpn2/") ||
                            (module.name.ends_with("gemm") && !(warpgroups && module.name == "dense/gemm")) ||
                            module.name == "lm_head/top1";
    const auto has = [&](std::string_view mma) { return module.ptx.find(mma) != std::string_view::npos; };
    EXPECT_EQ(has("wgmma."), warpgroups) << module.name;
    EXPECT_EQ(has("mma.sync.aligned.m16n8k16"), (multiplies || probes) && native);
    EXPECT_EQ(has("mma.sync.aligned.m16n8k8"), probes && native);
    EXPECT_EQ(has("mma.sync.aligned.m8n8k4"), probes || (multiplies && !native));
    const bool pipelined = module.name == "wide/tm_gemm" || module.name == "dense/gemm";
    EXPECT_EQ(has("cp.async.cg.shared.global"), pipelined && native);
    EXPECT_EQ(has("cp.async.wait_group"), pipelined && native);
  }
}

TEST(Modules, LineInformationNamesVirtualFilesOnly) {
  for (const Module& module : modules()) {
    std::size_t files = 0;
    for (std::size_t at = module.ptx.find("\t.file"); at != std::string_view::npos;
         at = module.ptx.find("\t.file", at + 1)) {
      const std::string_view line = module.ptx.substr(at, module.ptx.find('\n', at) - at);
      EXPECT_NE(line.find("\"/quadpair/kernels/"), std::string_view::npos) << line;
      ++files;
    }
    EXPECT_GE(files, 2u) << module.name;
  }
}

TEST(Modules, OnlyOrdinaryInstructions) {
  for (const Module& module : modules())
    for (std::string_view word :
         {".approx", ".local", "\tcall", "\tshfl.", "\tatom.", "\tred.", "\ttex.", ".ftz"}) {
      const std::set<std::string_view> reducing = {"bench/stream",   "lm_head/dense", "lm_head/rerank",
                                                   "lm_head/screen", "lm_head/top1",  "qpn8/quantize"};
      const bool reduces = word == "\tshfl." && reducing.contains(module.name);
      EXPECT_TRUE(reduces || module.ptx.find(word) == std::string_view::npos)
          << module.name << " has " << word;
    }
}

TEST(Modules, NoSpillsAndBlocksFit) {
  for (const Module& module : modules()) {
    EXPECT_FALSE(module.kernels.empty());
    for (const KernelInfo& kernel : module.kernels) {
      EXPECT_EQ(kernel.spill_bytes, 0u) << kernel.entry;
      EXPECT_GT(kernel.registers, 0u) << kernel.entry;
      EXPECT_GT(kernel.max_threads, 0u) << kernel.entry;
      // Registers are allotted by eights; a multiprocessor has 65,536, a block 48 KiB of static shared
      // memory.
      EXPECT_LE((kernel.registers + 7) / 8 * 8 * kernel.max_threads, 65536u) << kernel.entry;
      EXPECT_LE(kernel.shared_bytes, 48u * 1024) << kernel.entry;
    }
  }
}

TEST(Modules, SharedMemoryHoldsTheSliceSums) {
  const auto shared = [](std::string_view module, std::string_view entry) {
    for (const KernelInfo& kernel : find_module(module, Target::sm70).kernels)
      if (kernel.entry == entry) return kernel.shared_bytes;
    throw std::runtime_error("no entry");
  };
  EXPECT_EQ(shared("qpn2/gemm", "qpn2_gemm_s8_c2_r1"), 8u * 8 * 32 * 4);
  EXPECT_EQ(shared("qpn2/gemm", "qpn2_gemm_s32_c1_r1"), 32u * 8 * 32 * 4);
  EXPECT_EQ(shared("qpn2/gated", "qpn2_gated_s8_c2_r1"), 2u * 8 * 8 * 32 * 4);
}

TEST(Modules, UnknownIsRefused) {
  EXPECT_EQ(&find_module("qpn2/gemm", Target::sm80), &modules()[37]);
  EXPECT_THROW(find_module("qpn2/gem", Target::sm80), Refused);
}

}  // namespace
}  // namespace quadpair
