#include "harness/device/cuda/cuda.hpp"

#include "harness/device/cuda/buffer.hpp"
#include "kernels/common/stream.hpp"

namespace quadpair::device {
namespace {

class Stream {
 public:
  explicit Stream(const CudaRuntime& cuda) : cuda_(cuda) {
    cuda_.check(cuda_.cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  }
  ~Stream() { cuda_.check_no_throw(cuda_.cudaStreamDestroy(stream_), "cudaStreamDestroy"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }

  /// Waits; an error of a kernel that ran becomes a Fault.
  void wait(const std::string& what) const {
    const cudaError_t status = cuda_.cudaStreamSynchronize(stream_);
    if (status == cudaSuccess) return;
    cuda_.cudaGetLastError();
    throw Fault(what + ": " + cuda_.cudaGetErrorName(status) + " (" + cuda_.cudaGetErrorString(status) + ")");
  }

 private:
  const CudaRuntime& cuda_;
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  explicit Event(const CudaRuntime& cuda) : cuda_(cuda) {
    cuda_.check(cuda_.cudaEventCreate(&event_), "creating an event");
  }
  ~Event() { cuda_.check_no_throw(cuda_.cudaEventDestroy(event_), "cudaEventDestroy"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  cudaEvent_t get() const { return event_; }

 private:
  const CudaRuntime& cuda_;
  cudaEvent_t event_ = nullptr;
};

std::string names(std::span<const Launch> launches) {
  std::string text;
  for (const Launch& launch : launches) text += (text.empty() ? "" : ", ") + launch.entry;
  return text.empty() ? "no launch" : text;
}

class CudaGraph final : public Graph {
 public:
  CudaGraph(const CudaRuntime& cuda, const Stream& stream, Launcher& launcher,
            std::span<const Launch> launches)
      : cuda_(cuda), stream_(stream), names_(names(launches)), begin_(cuda), end_(cuda) {
    launcher.prepare(launches);
    cudaGraph_t graph = nullptr;
    cuda_.check(cuda_.cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal),
                "beginning a capture");
    try {
      launcher.launch(launches, stream_.get());
    } catch (...) {
      if (cuda_.cudaStreamEndCapture(stream_.get(), &graph) == cudaSuccess && graph != nullptr)
        cuda_.check_no_throw(cuda_.cudaGraphDestroy(graph), "cudaGraphDestroy");
      throw;
    }
    cuda_.check(cuda_.cudaStreamEndCapture(stream_.get(), &graph), "ending a capture");
    const cudaError_t status = cuda_.cudaGraphInstantiate(&executable_, graph, 0);
    cuda_.check_no_throw(cuda_.cudaGraphDestroy(graph), "cudaGraphDestroy");
    cuda_.check(status, "instantiating a graph");
  }
  ~CudaGraph() override {
    cuda_.check_no_throw(cuda_.cudaGraphExecDestroy(executable_), "cudaGraphExecDestroy");
  }

  void replay() override {
    cuda_.check(cuda_.cudaGraphLaunch(executable_, stream_.get()), ("replay of " + names_).c_str());
    stream_.wait("replay of " + names_);
  }

  std::optional<double> timed_replays(unsigned times) override {
    cuda_.check(cuda_.cudaEventRecord(begin_.get(), stream_.get()), "recording an event");
    for (unsigned i = 0; i < times; ++i)
      cuda_.check(cuda_.cudaGraphLaunch(executable_, stream_.get()), ("replay of " + names_).c_str());
    cuda_.check(cuda_.cudaEventRecord(end_.get(), stream_.get()), "recording an event");
    stream_.wait("replay of " + names_);
    float milliseconds = 0;
    cuda_.check(cuda_.cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "elapsed time");
    return milliseconds * 1e-3;
  }

 private:
  const CudaRuntime& cuda_;
  const Stream& stream_;
  std::string names_;
  Event begin_, end_;
  cudaGraphExec_t executable_ = nullptr;
};

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
  explicit Cuda(int index) : cuda_(cuda_runtime()), current_(cuda_, index), stream_(cuda_) {
    info_.kind = "cuda";
    info_.name = cuda_.device_name(index);
    int driver = 0, runtime = 0;
    cuda_.check(cuda_.cudaDriverGetVersion(&driver), "driver version");
    cuda_.check(cuda_.cudaRuntimeGetVersion(&runtime), "runtime version");
    info_.driver = version(driver);
    info_.runtime = version(runtime);
  }

  const DeviceInfo& info() const override { return info_; }

  std::unique_ptr<Buffer> allocate(std::string name, std::size_t bytes, Access access,
                                   std::uint8_t poison) override {
    return std::make_unique<CudaBuffer>(cuda_, stream_.get(), std::move(name), bytes, access, poison);
  }

  void run(std::span<const Launch> launches) override {
    launcher_.launch(launches, stream_.get());
    stream_.wait(names(launches));
  }

  std::unique_ptr<Graph> capture(std::span<const Launch> launches) override {
    return std::make_unique<CudaGraph>(cuda_, stream_, launcher_, launches);
  }

  std::optional<Cost> take_cost() override { return std::nullopt; }

 private:
  const CudaRuntime& cuda_;
  Current current_;
  Stream stream_;
  Launcher launcher_;
  DeviceInfo info_;
};

}  // namespace

std::unique_ptr<Device> make_cuda(int index) {
  return std::make_unique<Cuda>(index);
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
