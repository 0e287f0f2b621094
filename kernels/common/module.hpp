// Compiled kernels embedded in the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/common/target.hpp"

namespace quadpair {

/// What the compiler said of one entry point.
struct KernelInfo {
  std::string_view entry;      ///< extern "C" name
  std::uint32_t registers;     ///< per thread
  std::uint32_t spill_bytes;   ///< spill stores + loads, bytes per thread
  std::uint32_t shared_bytes;  ///< static shared memory per block
  std::uint32_t max_threads;   ///< from __launch_bounds__, 0 if none
};

/// One .cu file compiled for one target. The bytes are the same in whatever folder they were built.
struct Module {
  std::string_view name;  ///< the stem under kernels/, e.g. "qpn2/gemm"
  Target target;
  std::string_view ptx;  ///< without the trailing NUL
  std::span<const std::byte> cubin;
  std::string_view ptx_sha256;  ///< lower-case hex
  std::string_view cubin_sha256;
  std::string_view toolkit;  ///< e.g. "NVRTC 12.8.93"
  std::string_view options;  ///< that the compiler was given, e.g. "--std=c++20 --fmad=false"
  std::span<const KernelInfo> kernels;
};

/// Every embedded module, ordered by name, then target.
std::span<const Module> modules();

/// The module of that name and target; throws Refused when there is none.
const Module& find_module(std::string_view name, Target target);

}  // namespace quadpair
