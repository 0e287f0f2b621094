// cuBLAS, loaded at run time where it is present.
#pragma once

#include <memory>

#include "harness/device/cuda/stream.hpp"

namespace quadpair::device {

/// libcublas.so.13, else .12, on the stream, which must outlive it. Throws Unavailable saying what is
/// missing.
std::unique_ptr<GemmLibrary> make_cublas(const CudaRuntime& cuda, const Stream& stream);

}  // namespace quadpair::device
