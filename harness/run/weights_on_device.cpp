#include "harness/run/weights_on_device.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "harness/compare/check.hpp"
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

/// Packed weights with the buffers that were written for them.
struct Packed {
  std::variant<Projection, qpn8::Projection> weights;
  std::vector<const device::Buffer*> buffers;

  std::vector<std::uint8_t> content(std::size_t item) const {
    std::vector<std::uint8_t> bytes(buffers[item]->bytes());
    buffers[item]->download(std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }
};

/// Where the weights are made.
struct Maker {
  const Problem& problem;
  const cases::QuantizedMatrix& weights;
  DeviceBuffers& held;
  std::uint8_t poison;
  const Execute& execute;
  std::vector<const device::Buffer*> buffers{};

  std::unique_ptr<Borrowed> allocate(std::string_view name, std::size_t bytes) {
    device::Buffer& buffer = held.output(std::string(name), bytes, poison);
    buffers.push_back(&buffer);
    return std::make_unique<Borrowed>(buffer);
  }
  Allocate allocator() {
    return [this](std::string_view name, std::size_t bytes) { return allocate(name, bytes); };
  }

  Projection nvfp4() {
    CheckpointMatrix checkpoint;
    checkpoint.name = weights.name;
    checkpoint.n = problem.n;
    checkpoint.k = problem.k;
    checkpoint.halves = problem.halves;
    checkpoint.codes = held.input("checkpoint codes", bytes_of(weights.codes)).address();
    checkpoint.scales = held.input("checkpoint scales", bytes_of(weights.scales)).address();
    checkpoint.globals = weights.globals;
    return {checkpoint, problem.policy.value(), problem.target, allocator(), execute};
  }

  /// The checkpoint's codes and scales, as they came or made here.
  qpn8::CheckpointMatrix fp8_checkpoint() {
    qpn8::CheckpointMatrix checkpoint{problem.n, problem.k, problem.fp8.value(), 0, 0};
    if (weights.fp16.empty()) {
      checkpoint.codes = held.input("checkpoint codes", bytes_of(weights.codes)).address();
      checkpoint.scales = held.input("checkpoint scales", bytes_of(weights.fp8_scales)).address();
      return checkpoint;
    }
    const DevicePtr w = held.input("checkpoint weights", bytes_of(weights.fp16)).address();
    checkpoint.codes = allocate("fp8_codes", weights.codes.size())->address();
    checkpoint.scales = allocate("fp8_scales", weights.fp8_scales.size() * sizeof(float))->address();
    execute(qpn8::quantize({problem.n, problem.k, w, checkpoint.codes, checkpoint.scales}, problem.target));
    return checkpoint;
  }

  qpn8::Projection fp8() { return {fp8_checkpoint(), problem.target, allocator(), execute}; }
};

Packed pack(const Problem& p, const Matrix& matrix, DeviceBuffers& held, std::uint8_t poison,
            const Execute& execute) {
  Maker maker{p, *matrix.weights, held, poison, execute};
  if (p.fp8) return {maker.fp8(), std::move(maker.buffers)};
  return {maker.nvfp4(), std::move(maker.buffers)};
}

/// Bytes of the buffers that stay: what the ledger says, and what the device holds.
reports::Check ledger(const Problem& p, const Matrix& matrix, const Packed& packed) {
  std::array<std::uint64_t, 1> expected{}, actual{};
  const auto globals = static_cast<std::uint32_t>(matrix.weights->globals.size());
  for (const StorageItem& item : storage_of(p, globals)) expected[0] += item.bytes;
  for (const device::Buffer* buffer : packed.buffers)
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

DeviceWeights pack_weights(device::Device& device, const Problem& problem, const Matrix& matrix,
                           DeviceBuffers& buffers, const Execute& execute) {
  constexpr std::uint8_t first_poison = 0xA5, second_poison = 0x5A;
  std::vector<std::vector<std::uint8_t>> contents;
  {
    DeviceBuffers once(device);
    const Packed packed = pack(problem, matrix, once, first_poison, execute);
    for (std::size_t item = 0; item < packed.buffers.size(); ++item) contents.push_back(packed.content(item));
    once.inspect();
    if (!once.guards().check.passed()) throw device::Fault("packing: " + once.guards().note);
  }
  Packed packed = pack(problem, matrix, buffers, second_poison, execute);
  std::vector<reports::Check> checks;
  for (std::size_t item = 0; item < packed.buffers.size(); ++item) {
    const std::vector<std::uint8_t> content = packed.content(item);
    if (content != contents[item])
      throw device::Fault("packing left bytes of its outputs unwritten: two poisons gave two results");
    const std::string& name = packed.buffers[item]->name();
    checks.push_back(compare::bitwise(packed_check_name(name), matrix.packed(name), content));
  }
  checks.push_back(ledger(problem, matrix, packed));
  buffers.freeze_outputs();
  return {std::move(packed.weights), std::move(checks)};
}

}  // namespace quadpair::run
