// The buffers of one case on a device, and what they must still look like afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/compare/check.hpp"
#include "harness/device/device.hpp"

namespace quadpair::run {

/// Bytes of a vector of trivially copyable values.
template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

/// A condition on many buffers: which of them broke it, and how.
struct BufferChecks {
  compare::Check check;  ///< one element a buffer looked at: 0 when it holds, 1 when not
  std::string note;      ///< names the buffers that broke it
};

class DeviceBuffers {
 public:
  explicit DeviceBuffers(device::Device& device) : device_(device) {}

  /// A buffer that kernels only read; its contents are remembered.
  device::Buffer& input(const std::string& name, std::span<const std::byte> data);
  /// A buffer that kernels write, filled with the poison.
  device::Buffer& output(const std::string& name, std::size_t bytes, std::uint8_t poison);

  /// New contents in the same place.
  void change(const device::Buffer& input, std::span<const std::byte> data);

  /// Looks at every guard band; what it finds goes to guards().
  void inspect_guards();
  BufferChecks guards() const;

  /// Whether every input still holds what was put there.
  BufferChecks inputs() const;

 private:
  struct Held {
    std::unique_ptr<device::Buffer> buffer;
    std::vector<std::byte> contents;  ///< of an input
  };
  device::Device& device_;
  std::vector<Held> held_;
  std::vector<std::uint8_t> damaged_;  ///< one element a guard inspection of a buffer
  std::string damage_;
};

}  // namespace quadpair::run
