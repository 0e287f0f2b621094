// cuBLAS, loaded at run time where it is present.
#pragma once

#include <memory>

#include "harness/device/device.hpp"
#include "kernels/common/stream.hpp"

namespace quadpair {
struct CudaRuntime;
}

namespace quadpair::device {

class Stream;

/// Throws Unavailable where there is no such library. No GPU is touched.
void require_cublas();

/// libcublas.so.13, else .12, on the stream, with kernels by the launcher; both must outlive it. Throws
/// Unavailable saying what is missing.
std::unique_ptr<GemmLibrary> make_cublas(const CudaRuntime& cuda, const Stream& stream, Launcher& launcher);

}  // namespace quadpair::device
