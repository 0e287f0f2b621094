#include "harness/device/cuda/cuda.hpp"

#include <array>

#include "harness/device/cuda/buffer.hpp"
#include "harness/device/cuda/cublas.hpp"
#include "harness/device/cuda/graph.hpp"
#include "kernels/common/stream.hpp"

namespace quadpair::device {
namespace {

std::string names(std::span<const Launch> launches) {
  std::string text;
  for (const Launch& launch : launches) text += (text.empty() ? "" : ", ") + launch.entry;
  return text.empty() ? "no launch" : text;
}

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// Makes the GPU current; a member that comes before those that need it.
class Current {
 public:
  Current(const CudaRuntime& cuda, int index) {
    int count = 0;
    cuda.check(cuda.cudaGetDeviceCount(&count), "counting GPUs");
    if (index < 0 || index >= count)
      throw DeviceError("no GPU " + std::to_string(index) + ": this machine has " + std::to_string(count));
    cuda.check(cuda.cudaSetDevice(index), ("GPU " + std::to_string(index)).c_str());
  }
};

class Cuda final : public Device {
 public:
  explicit Cuda(int index)
      : cuda_(cuda_runtime()), current_(cuda_, index), stream_(cuda_), info_(cuda_info(index)) {}

  const DeviceInfo& info() const override { return info_; }

  MemoryUse memory_use() const override {
    std::size_t free = 0, total = 0;
    cuda_.check(cuda_.cudaMemGetInfo(&free, &total), "memory in use");
    return {count_.buffers, count_.bytes, free};
  }

  std::unique_ptr<Buffer> allocate(std::string name, std::size_t bytes, Access access,
                                   std::uint8_t poison) override {
    return std::make_unique<CudaBuffer>(cuda_, stream_.get(), count_, std::move(name), bytes, access, poison);
  }

  void run(std::span<const Launch> launches) override {
    launcher_.launch(launches, stream_.get());
    stream_.wait(names(launches));
  }

  std::unique_ptr<Graph> capture(std::span<const Launch> launches) override {
    launcher_.prepare(launches);
    return std::make_unique<CudaGraph>(cuda_, stream_, names(launches),
                                       [&] { launcher_.launch(launches, stream_.get()); });
  }

  std::string_view code_sha256(const Module& module) const override {
    return launcher_.code_of(module).sha256;
  }

  std::optional<Cost> take_cost() override { return std::nullopt; }

  std::unique_ptr<GemmLibrary> gemm_library() override { return make_cublas(cuda_, stream_, launcher_); }

 private:
  const CudaRuntime& cuda_;
  Current current_;
  Stream stream_;
  BufferCount count_;
  Launcher launcher_;
  DeviceInfo info_;
};

}  // namespace

std::unique_ptr<Device> make_cuda(int index) {
  return std::make_unique<Cuda>(index);
}

DeviceInfo cuda_info(int index) {
  const CudaRuntime& cuda = cuda_runtime();
  DeviceInfo info;
  info.kind = "cuda";
  info.name = cuda.device_name(index);
  int driver = 0, runtime = 0;
  cuda.check(cuda.cudaDriverGetVersion(&driver), "driver version");
  cuda.check(cuda.cudaRuntimeGetVersion(&runtime), "runtime version");
  info.driver = version(driver);
  info.runtime = version(runtime);
  int l2 = 0;
  cuda.check(cuda.cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, index), "size of the L2");
  info.l2_bytes = static_cast<std::uint64_t>(l2);
  std::array<char, 32> bus{};
  cuda.check(cuda.cudaDeviceGetPCIBusId(bus.data(), bus.size(), index), "PCI bus id");
  info.pci_bus_id = bus.data();
  return info;
}

std::vector<CudaProperties> cuda_devices() {
  std::vector<CudaProperties> devices;
  try {
    const CudaRuntime& cuda = cuda_runtime();
    int count = 0;
    if (cuda.cudaGetDeviceCount(&count) != cudaSuccess) {
      cuda.cudaGetLastError();
      return devices;
    }
    for (int index = 0; index < count; ++index) {
      const auto attribute = [&](cudaDeviceAttr which) {
        int value = 0;
        cuda.check(cuda.cudaDeviceGetAttribute(&value, which, index), "device attribute");
        return value;
      };
      CudaProperties properties;
      properties.name = cuda.device_name(index);
      properties.major = attribute(cudaDevAttrComputeCapabilityMajor);
      properties.minor = attribute(cudaDevAttrComputeCapabilityMinor);
      properties.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
      properties.l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
      devices.push_back(properties);
    }
  } catch (const DeviceError&) {
    devices.clear();  // no runtime or driver: no GPUs
  }
  return devices;
}

}  // namespace quadpair::device
