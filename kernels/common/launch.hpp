// A kernel launch as a value: executed on a CUDA stream by the library, on either device by the harness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/common/module.hpp"

namespace quadpair {

/// An address in a device's memory (on the emulator, in the emulator's).
using DevicePtr = std::uint64_t;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// Kernel arguments by value, laid out as the PTX .param space has them.
class Arguments {
 public:
  struct Slot {
    std::uint32_t offset, size;
  };

  /// Appends one argument at its natural alignment.
  template <class T>
  Arguments& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t offset = (bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes_.resize(offset + sizeof(T));
    std::memcpy(bytes_.data() + offset, &value, sizeof(T));
    slots_.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(sizeof(T))});
    return *this;
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  std::vector<std::byte> bytes_;
  std::vector<Slot> slots_;
};

struct Launch {
  const Module* module = nullptr;
  std::string entry;  ///< an entry of *module
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;  ///< bytes
  bool early_start = false;  ///< programmatic dependent launch: the kernel itself waits for the one ahead
  Arguments arguments;
};

}  // namespace quadpair
