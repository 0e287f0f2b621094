#include "harness/run/weights_on_device.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

#include "harness/compare/check.hpp"
#include "harness/compare/hash.hpp"
#include "kernels/qpn8/quantize.hpp"

namespace quadpair::run {
namespace {

class Borrowed final : public DeviceMemory {
 public:
  explicit Borrowed(device::Buffer& buffer) : buffer_(buffer) {}
  DevicePtr address() const override { return buffer_.address(); }
  void upload(std::span<const std::byte> data) override { buffer_.upload(data); }

 private:
  device::Buffer& buffer_;
};

using Packed = std::variant<Projection, qpn8::Projection>;

/// Makes the weights, more than once in the same buffers.
class Maker {
 public:
  Maker(const Problem& problem, const cases::QuantizedMatrix& weights, DeviceBuffers& held,
        const Execute& execute)
      : problem_(problem), weights_(weights), held_(held), execute_(execute) {
    if (!weights.fp16.empty()) {
      input_ = held.lasting_input("checkpoint weights", bytes_of(weights.fp16)).address();
      return;
    }
    const auto scales = problem.fp8 ? bytes_of(weights.fp8_scales) : bytes_of(weights.scales);
    input_ = held.lasting_input("checkpoint codes", bytes_of(weights.codes)).address();
    input_scales_ = held.lasting_input("checkpoint scales", scales).address();
  }

  Packed make(std::uint8_t poison) {
    poison_ = poison;
    next_ = 0;
    if (problem_.fp8) return fp8();
    return nvfp4();
  }

  /// Those that were written, in the order in which they were asked for.
  const std::vector<device::Buffer*>& buffers() const { return buffers_; }

 private:
  std::unique_ptr<Borrowed> allocate(std::string_view name, std::size_t bytes) {
    if (next_ == buffers_.size())
      buffers_.push_back(&held_.output(std::string(name), bytes, poison_));
    else
      buffers_[next_]->fill(poison_);
    return std::make_unique<Borrowed>(*buffers_[next_++]);
  }
  Allocate allocator() {
    return [this](std::string_view name, std::size_t bytes) { return allocate(name, bytes); };
  }

  Projection nvfp4() {
    CheckpointMatrix checkpoint;
    checkpoint.name = weights_.name;
    checkpoint.n = problem_.n;
    checkpoint.k = problem_.k;
    checkpoint.halves = problem_.halves;
    checkpoint.codes = input_;
    checkpoint.scales = input_scales_;
    checkpoint.globals = weights_.globals;
    return {checkpoint, problem_.policy.value(), problem_.target, allocator(), execute_};
  }

  /// From the checkpoint's codes and scales, as they came or made here.
  qpn8::Projection fp8() {
    qpn8::CheckpointMatrix checkpoint{problem_.n, problem_.k, problem_.fp8.value(), input_, input_scales_};
    if (!weights_.fp16.empty()) {
      checkpoint.codes = allocate("fp8_codes", weights_.codes.size())->address();
      checkpoint.scales = allocate("fp8_scales", weights_.fp8_scales.size() * sizeof(float))->address();
      execute_(qpn8::quantize({problem_.n, problem_.k, input_, checkpoint.codes, checkpoint.scales},
                              problem_.target));
    }
    return {checkpoint, problem_.target, allocator(), execute_};
  }

  const Problem& problem_;
  const cases::QuantizedMatrix& weights_;
  DeviceBuffers& held_;
  const Execute& execute_;
  DevicePtr input_ = 0, input_scales_ = 0;  ///< codes and their scales, or FP16 weights
  std::vector<device::Buffer*> buffers_;
  std::size_t next_ = 0;
  std::uint8_t poison_ = 0;
};

/// Bytes of the buffers that stay: what the ledger says, and what the device holds.
reports::Check ledger(const Problem& p, const Matrix& matrix, const std::vector<device::Buffer*>& buffers) {
  std::array<std::uint64_t, 1> expected{}, actual{};
  const auto globals = static_cast<std::uint32_t>(matrix.weights->globals.size());
  for (const StorageItem& item : storage_of(p, globals)) expected[0] += item.bytes;
  for (const device::Buffer* buffer : buffers)
    if (!buffer->name().starts_with("fp8_")) actual[0] += buffer->bytes();
  const auto bytes = [](const std::array<std::uint64_t, 1>& sum) {
    std::array<std::uint8_t, sizeof sum> raw{};
    std::memcpy(raw.data(), sum.data(), raw.size());
    return raw;
  };
  return compare::bitwise("ledger", bytes(expected), bytes(actual));
}

}  // namespace

std::string packed_check_name(std::string_view item) {
  if (item == "fp8_codes") return "codes";
  if (item == "fp8_scales") return "scales";
  if (item == "qpn2_codes" || item == "qpn8_codes") return "packed codes";
  if (item == "qpn2_scales" || item == "qpn8_scales") return "packed scales";
  if (item == "turbomind_codes") return "packed TurboMind codes";
  if (item == "turbomind_scales") return "packed TurboMind scales";
  return "global scales";
}

DeviceWeights pack_weights(const Problem& problem, const Matrix& matrix, DeviceBuffers& buffers,
                           const Execute& execute) {
  constexpr std::uint8_t first_poison = 0xA5, second_poison = 0x5A;
  Maker maker(problem, *matrix.weights, buffers, execute);
  maker.make(first_poison);
  std::vector<std::string> hashes;
  for (const device::Buffer* buffer : maker.buffers()) {
    if (buffer->damaged_guard())
      throw device::Fault(fmt::format("packing: guard of {} damaged", buffer->name()));
    buffer->read([&](std::span<const std::byte> bytes) { hashes.push_back(compare::hash(bytes)); });
  }
  DeviceWeights made{maker.make(second_poison), {}};
  for (std::size_t item = 0; item < maker.buffers().size(); ++item) {
    const device::Buffer& buffer = *maker.buffers()[item];
    const std::span<const std::uint8_t> expected = matrix.packed(buffer.name());
    buffer.read([&](std::span<const std::byte> bytes) {
      const std::span actual(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      made.checks.push_back(compare::bitwise(packed_check_name(buffer.name()), expected, actual));
    });
    if (made.checks.back().actual_hash != hashes[item])
      throw device::Fault("packing left bytes of its outputs unwritten: two poisons gave two results");
    if (made.checks.back().passed()) buffers.freeze(buffer, std::as_bytes(expected));
  }
  made.checks.push_back(ledger(problem, matrix, maker.buffers()));
  buffers.freeze_outputs();
  return made;
}

}  // namespace quadpair::run
