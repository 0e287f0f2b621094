#include "kernels/common/memory.hpp"

#include <string>

#include "kernels/common/cuda_runtime.hpp"

namespace quadpair {
namespace {

class CudaMemory final : public DeviceMemory {
 public:
  CudaMemory(const CudaRuntime& cuda, std::string_view name, std::size_t bytes)
      : cuda_(cuda), name_(name), bytes_(bytes) {
    cuda_.check(cuda_.cudaMalloc(&pointer_, bytes), ("allocating " + name_).c_str());
  }
  ~CudaMemory() override { cuda_.check_no_throw(cuda_.cudaFree(pointer_), "cudaFree"); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  DevicePtr address() const override { return reinterpret_cast<DevicePtr>(pointer_); }

  void upload(std::span<const std::byte> data) override {
    require(data.size() == bytes_, name_ + ": " + std::to_string(data.size()) + " bytes for " +
                                       std::to_string(bytes_) + " of memory");
    cuda_.check(cuda_.cudaMemcpyAsync(pointer_, data.data(), bytes_, cudaMemcpyHostToDevice, nullptr),
                ("uploading " + name_).c_str());
    cuda_.check(cuda_.cudaStreamSynchronize(nullptr), ("uploading " + name_).c_str());
  }

 private:
  const CudaRuntime& cuda_;
  std::string name_;
  std::size_t bytes_;
  void* pointer_ = nullptr;
};

}  // namespace

Allocate cuda_allocate() {
  return [&cuda = cuda_runtime()](std::string_view name, std::size_t bytes) {
    return std::make_unique<CudaMemory>(cuda, name, bytes);
  };
}

}  // namespace quadpair
