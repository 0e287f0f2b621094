// One interface over the CUDA device and the emulator: buffers, launches, graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/device/history.hpp"
#include "kernels/common/launch.hpp"

namespace quadpair::device {

/// A fault that the device found in a launch (bad address, unknown instruction, endless loop ...): names
/// kernel, PTX line, block, warp, lane and address where it can.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How kernels may use a buffer. A write to an `input` is a fault on the emulator, and is found by
/// comparing on CUDA.
enum class Access { input, output, scratch };

/// Device memory with guard bands before and after, poisoned when made. Lives no longer than its Device.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual DevicePtr address() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual const std::string& name() const = 0;
  virtual Access access() const = 0;

  virtual void upload(std::span<const std::byte> data, std::size_t offset = 0) = 0;
  virtual void download(std::span<std::byte> data, std::size_t offset = 0) const = 0;
  /// Gives all bytes to `take`, where they stand if the host can see them there.
  virtual void read(const std::function<void(std::span<const std::byte>)>& take) const {
    std::vector<std::byte> copy(bytes());
    download(copy);
    take(copy);
  }
  virtual void fill(std::uint8_t pattern) = 0;  ///< with poison: what a kernel must not read

  /// The offset (negative: before the buffer; >= bytes(): after it) of the first guard byte that changed.
  virtual std::optional<std::int64_t> damaged_guard() const = 0;
};

/// A captured sequence of launches, replayed on the same buffers.
class Graph {
 public:
  virtual ~Graph() = default;
  virtual void replay() = 0;  ///< returns when the work is done

  /// Seconds that `times` replays in a row took by the device's own events; nothing where the device has no
  /// clock.
  virtual std::optional<double> timed_replays(unsigned times) {
    return static_cast<void>(times), std::nullopt;
  }
};

struct Arithmetic {
  std::string model;      ///< reference::Model name
  std::string chosen_by;  ///< "option", "default", "probe", ...
};

struct DeviceInfo {
  std::string kind;  ///< "emulator" or "cuda"
  std::string name;
  std::vector<Arithmetic> arithmetic;
  std::string driver, runtime;  ///< empty on the emulator
  std::uint64_t l2_bytes = 0;   ///< 0 on the emulator, which has no caches
  std::string pci_bus_id;       ///< e.g. "0000:1B:00.0"; empty on the emulator
};

/// y[m, n] = x[m, k] . w[n, k]^T in FP16, summed in FP32 in an order of the library's own.
struct LibraryGemm {
  std::uint32_t m = 0, n = 0, k = 0;
  DevicePtr x = 0, w = 0, y = 0;   ///< row-major; w without gaps
  std::uint32_t ldx = 0, ldy = 0;  ///< elements
  std::vector<Launch> before{};    ///< kernels that run ahead of it, e.g. to decode w
};

/// What a device lacks, in words.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Dense products by the device's vendor. Lives no longer than its Device.
class GemmLibrary {
 public:
  virtual ~GemmLibrary() = default;
  virtual const std::string& name() const = 0;  ///< with the version, e.g. "cublas 13.0.2"
  virtual void run(std::span<const LibraryGemm> products) = 0;
  virtual std::unique_ptr<Graph> capture(std::span<const LibraryGemm> products) = 0;
};

/// Exact counts, on the emulator only.
struct Cost {
  std::vector<std::pair<std::string, std::uint64_t>> warp_instructions;  ///< by kind, mma excluded
  std::vector<std::pair<std::string, std::uint64_t>> mma;                ///< by shape
  std::uint64_t divergent_branches = 0;
  /// Sectors of 32 bytes of global memory requested, and as many as would hold the bytes if these lay on end,
  /// each access for itself.
  std::uint64_t global_sectors = 0, fewest_sectors = 0;
  std::uint64_t shared_conflicts = 0;  ///< turns of shared memory beyond those without bank conflicts
};

/// Memory in use.
struct MemoryUse {
  std::uint64_t buffers = 0, bytes = 0;     ///< that live, without guard bands
  std::optional<std::uint64_t> free_bytes;  ///< of the whole device, as its driver counts them
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual MemoryUse memory_use() const = 0;

  /// A new buffer, filled with `poison`, guard bands of at least 512 bytes on either side filled with another
  /// pattern. The address is 256-byte aligned.
  virtual std::unique_ptr<Buffer> allocate(std::string name, std::size_t bytes, Access access,
                                           std::uint8_t poison) = 0;

  /// Runs the launches in order and waits; throws Fault, which tells of all faults that were found in one
  /// launch where the device looks for more than one.
  virtual void run(std::span<const Launch> launches) = 0;

  /// Captures the launches (their arguments are frozen) for replay.
  virtual std::unique_ptr<Graph> capture(std::span<const Launch> launches) = 0;

  /// SHA-256 (lower-case hex) of the code that this device runs of a module: its cubin or its PTX.
  virtual std::string_view code_sha256(const Module& module) const = 0;

  /// Counts of what run() has run since the last call, replays aside; nothing where the device does not
  /// count.
  virtual std::optional<Cost> take_cost() = 0;

  /// Runs the launches in order, and tells how the number that they leave at `address` came about; nothing
  /// when none of them wrote there. Throws Fault, and Unavailable where work cannot be watched.
  virtual std::optional<History> trace(std::span<const Launch> launches, DevicePtr address) {
    static_cast<void>(launches), static_cast<void>(address);
    throw Unavailable(info().name + " does not tell what its instructions do");
  }

  /// Throws Unavailable where there is none.
  virtual std::unique_ptr<GemmLibrary> gemm_library() {
    throw Unavailable(info().name + " has no library of dense products");
  }
};

}  // namespace quadpair::device
