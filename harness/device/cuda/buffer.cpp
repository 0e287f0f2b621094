#include "harness/device/cuda/buffer.hpp"

#include <stdexcept>

namespace quadpair::device {

CudaBuffer::CudaBuffer(const CudaRuntime& cuda, cudaStream_t stream, BufferCount& count, std::string name,
                       std::size_t bytes, Access access, std::uint8_t poison)
    : cuda_(cuda), stream_(stream), count_(count), name_(std::move(name)), bytes_(bytes), access_(access) {
  void* memory = nullptr;
  cuda_.check(cuda_.cudaMalloc(&memory, allocated()), ("allocating " + name_).c_str());
  base_ = static_cast<std::byte*>(memory);
  try {
    cuda_.check(cuda_.cudaMemsetAsync(base_, guard_pattern, allocated(), stream_), "guard bands");
    fill(poison);
  } catch (...) {
    cuda_.check_no_throw(cuda_.cudaFree(base_), "cudaFree");
    throw;
  }
  ++count_.buffers;
  count_.bytes += bytes_;
}

CudaBuffer::~CudaBuffer() {
  --count_.buffers;
  count_.bytes -= bytes_;
  cuda_.check_no_throw(cuda_.cudaFree(base_), "cudaFree");
}

void CudaBuffer::check_range(std::size_t offset, std::size_t size) const {
  if (offset > bytes_ || size > bytes_ - offset)
    throw std::out_of_range(name_ + ": bytes [" + std::to_string(offset) + ", " +
                            std::to_string(offset + size) + ") of " + std::to_string(bytes_));
}

void CudaBuffer::upload(std::span<const std::byte> data, std::size_t offset) {
  check_range(offset, data.size());
  if (data.empty()) return;
  cuda_.check(cuda_.cudaMemcpyAsync(base_ + guard + offset, data.data(), data.size(), cudaMemcpyHostToDevice,
                                    stream_),
              ("upload of " + name_).c_str());
  cuda_.check(cuda_.cudaStreamSynchronize(stream_), ("upload of " + name_).c_str());
}

void CudaBuffer::download(std::span<std::byte> data, std::size_t offset) const {
  check_range(offset, data.size());
  if (data.empty()) return;
  cuda_.check(cuda_.cudaMemcpyAsync(data.data(), base_ + guard + offset, data.size(), cudaMemcpyDeviceToHost,
                                    stream_),
              ("download of " + name_).c_str());
  cuda_.check(cuda_.cudaStreamSynchronize(stream_), ("download of " + name_).c_str());
}

void CudaBuffer::fill(std::uint8_t pattern) {
  if (bytes_ > 0)
    cuda_.check(cuda_.cudaMemsetAsync(base_ + guard, pattern, bytes_, stream_), ("fill of " + name_).c_str());
  cuda_.check(cuda_.cudaStreamSynchronize(stream_), ("fill of " + name_).c_str());
}

std::optional<std::int64_t> CudaBuffer::damaged_guard() const {
  const auto scan = [&](std::size_t from, std::size_t to) -> std::optional<std::int64_t> {
    std::vector<std::byte> band(to - from);
    cuda_.check(
        cuda_.cudaMemcpyAsync(band.data(), base_ + from, band.size(), cudaMemcpyDeviceToHost, stream_),
        "guard bands");
    cuda_.check(cuda_.cudaStreamSynchronize(stream_), "guard bands");
    for (std::size_t i = 0; i < band.size(); ++i)
      if (band[i] != std::byte{guard_pattern})
        return static_cast<std::int64_t>(from + i) - static_cast<std::int64_t>(guard);
    return std::nullopt;
  };
  if (const auto before = scan(0, guard)) return before;
  return scan(guard + bytes_, allocated());
}

}  // namespace quadpair::device
