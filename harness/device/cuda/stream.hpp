// A CUDA stream and an event, as owners.
#pragma once

#include <string>

#include "harness/device/device.hpp"
#include "kernels/common/cuda_runtime.hpp"

namespace quadpair::device {

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

}  // namespace quadpair::device
