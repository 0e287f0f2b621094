#include "harness/run/weights_on_device.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "harness/compare/check.hpp"

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

/// A projection with the buffers that it asked for.
struct Packed {
  Projection projection;
  std::vector<const device::Buffer*> buffers;

  std::vector<std::uint8_t> content(std::size_t item) const {
    std::vector<std::uint8_t> bytes(buffers[item]->bytes());
    buffers[item]->download(std::as_writable_bytes(std::span(bytes)));
    return bytes;
  }
};

Packed pack(const Problem& p, const Matrix& matrix, DeviceBuffers& held, std::uint8_t poison,
            const Execute& execute) {
  const cases::QuantizedMatrix& w = *matrix.weights;
  CheckpointMatrix checkpoint;
  checkpoint.name = w.name;
  checkpoint.n = p.n;
  checkpoint.k = p.k;
  checkpoint.halves = p.halves;
  checkpoint.codes = held.input("checkpoint codes", bytes_of(w.codes)).address();
  checkpoint.scales = held.input("checkpoint scales", bytes_of(w.scales)).address();
  checkpoint.globals = w.globals;
  std::vector<const device::Buffer*> buffers;
  const Allocate allocate = [&](std::string_view name, std::size_t bytes) {
    device::Buffer& buffer = held.output(std::string(name), bytes, poison);
    buffers.push_back(&buffer);
    return std::make_unique<Borrowed>(buffer);
  };
  Projection projection(checkpoint, p.policy.value(), p.target, allocate, execute);
  return {std::move(projection), std::move(buffers)};
}

/// Bytes of all buffers: what the policy's ledger says, and what the device holds.
reports::Check ledger(const Problem& p, const Matrix& matrix, const Packed& packed) {
  const auto globals = static_cast<std::uint32_t>(matrix.weights->globals.size());
  std::array<std::uint64_t, 1> expected{}, actual{};
  for (const StorageItem& item : storage(*p.policy, p.padded_n, p.k, globals)) expected[0] += item.bytes;
  for (const device::Buffer* buffer : packed.buffers) actual[0] += buffer->bytes();
  const auto bytes = [](const std::array<std::uint64_t, 1>& sum) {
    std::array<std::uint8_t, sizeof sum> raw{};
    std::memcpy(raw.data(), sum.data(), raw.size());
    return raw;
  };
  return compare::bitwise("ledger", bytes(expected), bytes(actual));
}

}  // namespace

std::string packed_check_name(std::string_view item) {
  if (item == "qpn2_codes") return "packed codes";
  if (item == "qpn2_scales") return "packed scales";
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
  return {std::move(packed.projection), std::move(checks)};
}

}  // namespace quadpair::run
