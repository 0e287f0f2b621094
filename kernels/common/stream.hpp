// Executes launches on CUDA streams.
#pragma once

#include <memory>
#include <span>

#include "kernels/common/launch.hpp"

/// cudaStream_t points to it.
struct CUstream_st;

namespace quadpair {

/// The target whose kernels suit a device of that compute capability: sm90 for 9.x alone, whose wgmma
/// later ones lack, else sm80 from 8.0, sm70 from 7.0. Throws Refused below.
Target target_for_capability(int major, int minor);

/// What of a module goes onto a device.
struct DeviceCode {
  bool cubin;               ///< else the PTX, which the driver compiles
  std::string_view sha256;  ///< lower-case hex
};

/// The code that a device of that compute capability loads: the cubin where it runs (equal major version,
/// minor no greater than the device's), else the PTX.
DeviceCode device_code(const Module& module, int major, int minor);

/// Loads kernel modules for the device that is current when it is made, and launches them on its streams,
/// with the code that device_code() chooses. Modules are told apart by their hashes and stay loaded as long
/// as the launcher lives. Any thread may launch, with the same device current.
class Launcher {
 public:
  /// Throws DeviceError when there is no CUDA runtime, driver or device.
  Launcher();
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  /// The target whose kernels suit the device.
  Target target() const;

  /// What the device loads of a module.
  DeviceCode code_of(const Module& module) const;

  /// Loads what the launches need onto the device, as must be done before they are captured in a graph.
  /// Throws Refused when a module's target is newer than the device, DeviceError when loading fails.
  void prepare(std::span<const Launch> launches);

  /// Enqueues the launches in order (null: the default stream) and returns at once. Throws as prepare(), and
  /// DeviceError when a launch is rejected. Errors of running kernels appear when the stream is waited for.
  void launch(std::span<const Launch> launches, CUstream_st* stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quadpair
