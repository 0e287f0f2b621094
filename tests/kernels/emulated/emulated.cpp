#include "tests/kernels/emulated/emulated.hpp"

#include <bit>
#include <cmath>

namespace quadpair::emulated {

std::unique_ptr<device::Device> emulator(Target target) {
  device::EmulatorOptions options;
  options.model = model_of(target);
  return device::make_emulator(options);
}

std::unique_ptr<device::Buffer> output(device::Device& device, const std::string& name, std::size_t bytes) {
  return device.allocate(name, bytes, device::Access::output, 0xA5);
}

std::uint8_t Checkpoint::code(std::uint32_t row, std::uint32_t column) const {
  const std::uint8_t byte = codes[(std::size_t{row} * k + column) / 2];
  return column % 2 == 0 ? byte & 15 : byte >> 4;
}

Checkpoint random_checkpoint(std::uint32_t n, std::uint32_t k, std::mt19937& random, int least,
                             int greatest) {
  Checkpoint matrix{n, k, std::vector<std::uint8_t>(std::size_t{n} * k / 2),
                    std::vector<std::uint8_t>(std::size_t{n} * k / 16)};
  for (std::uint8_t& byte : matrix.codes) byte = static_cast<std::uint8_t>(random());
  std::uniform_int_distribution<int> scale(least, greatest);
  for (std::uint8_t& byte : matrix.scales) byte = static_cast<std::uint8_t>(scale(random));
  return matrix;
}

float e2m1(std::uint8_t code) {
  constexpr float magnitudes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  return (code & 8) != 0 ? -magnitudes[code & 7] : magnitudes[code & 7];
}

float e4m3(std::uint8_t byte) {
  const int exponent = byte >> 3 & 15, mantissa = byte & 7;
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                        : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
  return (byte & 0x80) != 0 ? -magnitude : magnitude;
}

std::uint16_t half(float x) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(x));
}

float to_float(std::uint16_t bits) {
  return static_cast<float>(std::bit_cast<_Float16>(bits));
}

std::vector<std::uint16_t> random_halves(std::size_t count, std::mt19937& random) {
  std::vector<std::uint16_t> halves(count);
  for (std::uint16_t& bits : halves) {
    const std::uint32_t any = random();
    bits = static_cast<std::uint16_t>((any & 0x8000) | (9 + (any >> 16) % 9) << 10 | (any & 0x3FF));
  }
  return halves;
}

std::uint16_t summed(const AccumulationPlan& plan, reference::Model model, std::span<const std::uint16_t> x,
                     std::span<const std::uint16_t> w) {
  float total = 0;
  for (std::uint32_t slice = 0; slice < plan.slice_count(); ++slice) {
    std::vector<std::uint32_t> chains(plan.chains, 0);
    for (std::uint32_t unit = plan.slices[slice]; unit < plan.slices[slice + 1]; ++unit)
      for (const FusedStep& step : plan.steps) {
        std::vector<std::uint16_t> a, b;
        for (const std::uint16_t k : step.k) {
          a.push_back(x[unit * plan.unit_k + k]);
          b.push_back(w[unit * plan.unit_k + k]);
        }
        chains[step.chain] = reference::fused_sum(model, a, b, chains[step.chain]);
      }
    float sum = std::bit_cast<float>(chains[0]);
    for (std::uint32_t chain = 1; chain < plan.chains; ++chain) sum += std::bit_cast<float>(chains[chain]);
    total += sum;
  }
  return half(total);
}

}  // namespace quadpair::emulated
