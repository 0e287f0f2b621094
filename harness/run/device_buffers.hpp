// The buffers of one case on a device, and what they must still look like afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "reports/check.hpp"

namespace quadpair::run {

/// Bytes of a vector of trivially copyable values.
template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

/// A condition on many buffers: which of them broke it, and how.
struct BufferChecks {
  reports::Check check;  ///< one element a buffer and inspection: 0 when it holds, 1 when not
  std::string note;      ///< names the buffers that broke it
};

class DeviceBuffers {
 public:
  explicit DeviceBuffers(device::Device& device) : device_(device) {}

  /// A buffer that kernels only read; its contents are remembered.
  device::Buffer& input(const std::string& name, std::span<const std::byte> data);
  /// The same of data that outlives these buffers, which is not copied to be remembered.
  device::Buffer& lasting_input(const std::string& name, std::span<const std::byte> data);
  /// A buffer that kernels write, filled with the poison.
  device::Buffer& output(const std::string& name, std::size_t bytes, std::uint8_t poison);

  /// A buffer that kernels write and read, whose contents nobody asks for.
  device::Buffer& scratch(const std::string& name, std::size_t bytes, std::uint8_t poison);

  /// From now on what is held of outputs must stay as it is, like an input.
  void freeze_outputs();
  /// The same of one output, which holds `contents` and which these outlive.
  void freeze(const device::Buffer& output, std::span<const std::byte> contents);

  /// New contents in the same place; what was there is inspected first.
  void change(const device::Buffer& input, std::span<const std::byte> data);

  /// Looks whether every guard band is whole and every input still holds what was put there: once, after the
  /// last run, since nothing mends either (weights are large, and a GPU's are far away).
  void inspect();

  /// Whether that is so now; leaves no record.
  bool intact() const;

  /// Puts back what is held.
  void restore();

  /// What all inspections found, as the checks "guards" and "inputs unchanged".
  BufferChecks guards() const { return guards_.checks("guards"); }
  BufferChecks inputs() const { return inputs_.checks("inputs unchanged"); }

 private:
  struct Held {
    std::unique_ptr<device::Buffer> buffer;
    std::optional<std::span<const std::byte>> contents;  ///< that must not change
    std::vector<std::byte> copy{};                       ///< of them, where they do not last
    void remember(std::span<const std::byte> data);
    bool unchanged() const;
  };
  struct Findings {
    std::vector<std::uint8_t> broken;  ///< 0 or 1 for each buffer inspected
    std::string note;
    BufferChecks checks(std::string name) const;
  };
  Held& held(const device::Buffer& buffer);
  void inspect_input(const Held& held);

  device::Device& device_;
  std::vector<Held> held_;
  Findings guards_, inputs_;
};

}  // namespace quadpair::run
