// Device memory between two guard bands.
#pragma once

#include "harness/device/device.hpp"
#include "kernels/common/cuda_runtime.hpp"

namespace quadpair::device {

/// Buffers that live on a device.
struct BufferCount {
  std::uint64_t buffers = 0, bytes = 0;
};

/// One allocation: guard band, the buffer, guard band. Cannot be made without a stream: all copies are
/// ordered on it, and each waits for it.
class CudaBuffer final : public Buffer {
 public:
  /// Counted in `count`, which outlives it.
  CudaBuffer(const CudaRuntime& cuda, cudaStream_t stream, BufferCount& count, std::string name,
             std::size_t bytes, Access access, std::uint8_t poison);
  ~CudaBuffer() override;
  CudaBuffer(const CudaBuffer&) = delete;
  CudaBuffer& operator=(const CudaBuffer&) = delete;

  DevicePtr address() const override { return reinterpret_cast<DevicePtr>(base_ + guard); }
  std::size_t bytes() const override { return bytes_; }
  const std::string& name() const override { return name_; }
  Access access() const override { return access_; }
  void upload(std::span<const std::byte> data, std::size_t offset) override;
  void download(std::span<std::byte> data, std::size_t offset) const override;
  void fill(std::uint8_t pattern) override;
  std::optional<std::int64_t> damaged_guard() const override;

 private:
  static constexpr std::size_t guard = 4096;
  static constexpr std::uint8_t guard_pattern = 0xA5;

  void check_range(std::size_t offset, std::size_t size) const;
  std::size_t allocated() const { return guard + (bytes_ + 255) / 256 * 256 + guard; }

  const CudaRuntime& cuda_;
  cudaStream_t stream_;
  BufferCount& count_;
  std::string name_;
  std::size_t bytes_;
  Access access_;
  std::byte* base_ = nullptr;
};

}  // namespace quadpair::device
