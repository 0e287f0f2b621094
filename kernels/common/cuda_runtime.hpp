// Internal: the CUDA runtime as a table of functions, loaded when first asked for, so that library and
// programs start on a machine without GPU, driver or runtime. Needs the toolkit's headers (link
// quadpair_cuda_headers). Functions have the runtime's own names and signatures.
#pragma once

// Where a toolkit is installed the compiler may find its headers unasked; elsewhere it would not.
#ifndef QUADPAIR_CUDA_HEADERS
#error "this target does not link quadpair_cuda_headers"
#endif

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/common/check.hpp"
#include "kernels/common/error.hpp"

namespace quadpair {

#define QUADPAIR_CUDA_FUNCTIONS(F) \
  F(cudaGetErrorName)              \
  F(cudaGetErrorString)            \
  F(cudaGetLastError)              \
  F(cudaRuntimeGetVersion)         \
  F(cudaDriverGetVersion)          \
  F(cudaGetDeviceCount)            \
  F(cudaGetDevice)                 \
  F(cudaSetDevice)                 \
  F(cudaDeviceGetAttribute)        \
  F(cudaDeviceGetPCIBusId)         \
  F(cudaDeviceSynchronize)         \
  F(cudaMemGetInfo)                \
  F(cudaMalloc)                    \
  F(cudaFree)                      \
  F(cudaMemcpyAsync)               \
  F(cudaMemsetAsync)               \
  F(cudaStreamCreateWithFlags)     \
  F(cudaStreamDestroy)             \
  F(cudaStreamSynchronize)         \
  F(cudaStreamBeginCapture)        \
  F(cudaStreamEndCapture)          \
  F(cudaGraphInstantiate)          \
  F(cudaGraphLaunch)               \
  F(cudaGraphExecDestroy)          \
  F(cudaGraphDestroy)              \
  F(cudaEventCreate)               \
  F(cudaEventRecord)               \
  F(cudaEventSynchronize)          \
  F(cudaEventElapsedTime)          \
  F(cudaEventDestroy)              \
  F(cudaLibraryLoadData)           \
  F(cudaLibraryUnload)             \
  F(cudaLibraryGetKernel)          \
  F(cudaFuncGetAttributes)         \
  F(cudaFuncSetAttribute)          \
  F(cudaLaunchKernelExC)

struct CudaRuntime {
// NOLINTNEXTLINE(bugprone-macro-parentheses): the argument is a name to declare
#define QUADPAIR_DECLARE(name) decltype(&::name) name = nullptr;
  QUADPAIR_CUDA_FUNCTIONS(QUADPAIR_DECLARE)
#undef QUADPAIR_DECLARE

  /// The marketing name of a device. Throws DeviceError.
  std::string device_name(int device) const;

  /// Throws DeviceError "what: NAME (description)" unless status is success, and clears the runtime's last
  /// error, so that a later call does not report this one.
  void check(cudaError_t status, const char* what) const;

  /// The same for destructors: writes the message to stderr instead of throwing.
  void check_no_throw(cudaError_t status, const char* what) const noexcept;

  /// cudaGetDeviceProperties under the name that this runtime's version gives it: fills a structure whose
  /// first member is the name.
  cudaError_t (*device_properties)(void* properties, int device) = nullptr;
};

/// libcudart.so.12 (12.8 or later) or .so.13. Throws DeviceError saying what is missing.
const CudaRuntime& cuda_runtime();

}  // namespace quadpair
