// Device memory of the emulator: host memory with guard bands.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/device/device.hpp"
#include "harness/device/emulator/memory.hpp"
#include "harness/device/emulator/observe/written_bytes.hpp"

namespace quadpair::emulator {

/// Known to a Memory while it lives.
class GuardedBuffer final : public device::Buffer {
 public:
  GuardedBuffer(std::shared_ptr<Memory> memory, std::string name, std::size_t bytes, device::Access access,
                std::uint8_t poison);
  ~GuardedBuffer() override;
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  DevicePtr address() const override { return address_; }
  std::size_t bytes() const override { return bytes_; }
  const std::string& name() const override { return name_; }
  device::Access access() const override { return access_; }
  void upload(std::span<const std::byte> data, std::size_t offset) override;
  void download(std::span<std::byte> data, std::size_t offset) const override;
  void read(const std::function<void(std::span<const std::byte>)>& take) const override {
    take({data(), bytes_});
  }
  void fill(std::uint8_t pattern) override;
  std::optional<std::int64_t> damaged_guard() const override;

 private:
  struct AlignedDelete {
    void operator()(std::byte* storage) const;
  };
  std::byte* data() const { return storage_.get() + kGuardBytes; }
  void check_range(const char* what, std::size_t size, std::size_t offset) const;

  static constexpr std::size_t kGuardBytes = 4096;
  std::shared_ptr<Memory> memory_;
  std::string name_;
  std::size_t bytes_;
  device::Access access_;
  std::unique_ptr<std::byte[], AlignedDelete> storage_;
  std::optional<WrittenBytes> written_;  ///< where the memory asks for it
  DevicePtr address_ = 0;
};

}  // namespace quadpair::emulator
