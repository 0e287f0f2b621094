// The stream API: what it decides without a GPU, and one kernel end to end where there is one.
#include "kernels/common/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/common/cuda_runtime.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/qpn2/layout.hpp"

namespace quadpair {
namespace {

TEST(Stream, TargetForCapability) {
  EXPECT_EQ(target_for_capability(7, 0), Target::sm70);
  EXPECT_EQ(target_for_capability(7, 5), Target::sm70);
  EXPECT_EQ(target_for_capability(8, 0), Target::sm80);
  EXPECT_EQ(target_for_capability(8, 9), Target::sm80);
  EXPECT_EQ(target_for_capability(9, 0), Target::sm90);
  EXPECT_EQ(target_for_capability(12, 0), Target::sm80);
  EXPECT_THROW(target_for_capability(6, 1), Refused);
}

DeviceCode gemm_code(Target target, int major, int minor) {
  return device_code(find_module("qpn2/gemm", target), major, minor);
}

TEST(Stream, CubinsRunWithinAMajorVersion) {
  EXPECT_TRUE(gemm_code(Target::sm70, 7, 0).cubin);
  EXPECT_TRUE(gemm_code(Target::sm70, 7, 5).cubin);
  EXPECT_TRUE(gemm_code(Target::sm80, 8, 9).cubin);
  EXPECT_TRUE(gemm_code(Target::sm90, 9, 0).cubin);
  EXPECT_FALSE(gemm_code(Target::sm80, 9, 0).cubin);
  EXPECT_FALSE(gemm_code(Target::sm90, 10, 0).cubin);
  EXPECT_FALSE(gemm_code(Target::sm70, 6, 1).cubin);
}

TEST(Stream, TheHashIsOfTheCodeThatIsLoaded) {
  const Module& module = find_module("qpn2/gemm", Target::sm80);
  ASSERT_NE(module.cubin_sha256, module.ptx_sha256);
  EXPECT_EQ(device_code(module, 8, 0).sha256, module.cubin_sha256);
  EXPECT_EQ(device_code(module, 9, 0).sha256, module.ptx_sha256);
  Module without = module;
  without.cubin = {};
  EXPECT_FALSE(device_code(without, 8, 0).cubin);
  EXPECT_EQ(device_code(without, 8, 0).sha256, module.ptx_sha256);
}

bool has_device() {
  try {
    int count = 0;
    return cuda_runtime().cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  } catch (const DeviceError&) {
    return false;
  }
}

TEST(Stream, WithoutADeviceItSaysSo) {
  if (has_device()) GTEST_SKIP() << "a GPU is present";
  try {
    const Launcher launcher;
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()), "");
  }
}

/// Device memory for a test.
class Memory {
 public:
  explicit Memory(const std::vector<std::uint8_t>& bytes) : size_(bytes.size()) {
    cuda_.check(cuda_.cudaMalloc(&pointer_, size_), "cudaMalloc");
    cuda_.check(cuda_.cudaMemcpyAsync(pointer_, bytes.data(), size_, cudaMemcpyHostToDevice, nullptr),
                "upload");
  }
  ~Memory() { cuda_.check_no_throw(cuda_.cudaFree(pointer_), "cudaFree"); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  DevicePtr address() const { return reinterpret_cast<DevicePtr>(pointer_); }
  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> result(size_);
    cuda_.check(cuda_.cudaMemcpyAsync(result.data(), pointer_, size_, cudaMemcpyDeviceToHost, nullptr),
                "download");
    cuda_.check(cuda_.cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
    return result;
  }

 private:
  const CudaRuntime& cuda_ = cuda_runtime();
  std::size_t size_;
  void* pointer_ = nullptr;
};

TEST(Stream, RunsAKernelFromCubinAndFromPtx) {
  if (!has_device()) GTEST_SKIP() << "no GPU";
  const std::uint32_t n = 64, k = 64;
  std::vector<std::uint8_t> codes(n * k / 2), scales(n * k / 16), wanted(scales.size());
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<std::uint8_t>(i * 37 + 11);
  for (std::uint32_t tile = 0; tile < 2; ++tile)  // u8 [N/32][K/16][32 lanes] by definition
    for (std::uint32_t group = 0; group < 4; ++group)
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        wanted[(tile * 4 + group) * 32 + lane] = scales[(tile * 32 + qpn2::column_of_lane(lane)) * 4 + group];

  Launcher launcher;
  std::vector<Target> usable = {launcher.target()};
  if (launcher.target() != Target::sm70)
    usable.push_back(Target::sm70);  // its PTX is compiled for the device
  for (Target target : usable) {
    const Memory code_memory(codes), scale_memory(scales), packed_codes(codes),
        packed_scales(std::vector<std::uint8_t>(scales.size(), 0xAA));
    const std::vector<Launch> launches =
        convert::pack_qpn2({n, k, 1, code_memory.address(), scale_memory.address(), packed_codes.address(),
                            packed_scales.address()},
                           target);
    launcher.prepare(launches);
    launcher.launch(launches, nullptr);
    EXPECT_EQ(launcher.code_of(*launches[0].module).cubin, target == launcher.target());
    EXPECT_EQ(packed_scales.bytes(), wanted) << to_string(target);
  }
}

TEST(Stream, BadLaunchIsADeviceErrorOnce) {
  if (!has_device()) GTEST_SKIP() << "no GPU";
  Launcher launcher;
  std::vector<Launch> launches =
      convert::pack_qpn2({32, 64, 1, 0x1000, 0x1000, 0x1000, 0x1000}, launcher.target());
  launches[0].block.x = 2048;
  EXPECT_THROW(launcher.launch(launches, nullptr), DeviceError);
  EXPECT_EQ(cuda_runtime().cudaGetLastError(), cudaSuccess);
  launches[0].entry = "absent";
  EXPECT_THROW(launcher.prepare(launches), DeviceError);
}

}  // namespace
}  // namespace quadpair
