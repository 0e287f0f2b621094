#include "kernels/common/cuda_runtime.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <exception>
#include <vector>

namespace quadpair {
namespace {

void* open_runtime() {
  std::string reasons;
  for (const char* name : {"libcudart.so.12", "libcudart.so.13"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
    reasons += std::string(reasons.empty() ? "" : "; ") + dlerror();
  }
  throw DeviceError("no CUDA runtime on this machine: " + reasons);
}

template <class Function>
void resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    throw DeviceError(std::string("the CUDA runtime lacks ") + name + ": 12.8 or later is needed");
}

CudaRuntime load() {
  void* library = open_runtime();  // for the life of the process: the runtime does not survive unloading
  CudaRuntime runtime;
#define QUADPAIR_RESOLVE(name) resolve(library, #name, runtime.name);
  QUADPAIR_CUDA_FUNCTIONS(QUADPAIR_RESOLVE)
#undef QUADPAIR_RESOLVE
  const bool suffixed = dlsym(library, "cudaGetDeviceProperties_v2") != nullptr;  // CUDA 12; 13 dropped it
  resolve(library, suffixed ? "cudaGetDeviceProperties_v2" : "cudaGetDeviceProperties",
          runtime.device_properties);
  return runtime;
}

}  // namespace

std::string CudaRuntime::device_name(int device) const {
  // Larger than the structure of any version; the name comes first in all of them.
  std::vector<char> properties(16 * sizeof(cudaDeviceProp), '\0');
  check(device_properties(properties.data(), device), "cudaGetDeviceProperties");
  return properties.data();
}

void CudaRuntime::check(cudaError_t status, const char* what) const {
  if (status == cudaSuccess) return;
  const std::string message =
      std::string(what) + ": " + cudaGetErrorName(status) + " (" + cudaGetErrorString(status) + ")";
  cudaGetLastError();
  throw DeviceError(message);
}

void CudaRuntime::check_no_throw(cudaError_t status, const char* what) const noexcept {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s (%s)\n", what, cudaGetErrorName(status), cudaGetErrorString(status));
  cudaGetLastError();
}

const CudaRuntime& cuda_runtime() {
  static const CudaRuntime runtime = load();
  return runtime;
}

}  // namespace quadpair
