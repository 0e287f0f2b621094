// Kernels on the emulator, with weights made up here and expectations computed element by element.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "harness/device/emulator/emulator.hpp"
#include "kernels/common/plan.hpp"
#include "tests/kernels/emulated/model.hpp"

namespace quadpair::emulated {

inline constexpr Target all_targets[] = {Target::sm70, Target::sm80, Target::sm90};

/// Of a parameterized test.
inline std::string target_name(const testing::TestParamInfo<Target>& test) {
  return std::string(to_string(test.param));
}

/// An emulator with the target's own arithmetic.
std::unique_ptr<device::Device> emulator(Target target);

template <class T>
std::unique_ptr<device::Buffer> input(device::Device& device, const std::string& name,
                                      const std::vector<T>& data) {
  auto buffer = device.allocate(name, data.size() * sizeof(T), device::Access::input, 0xA5);
  buffer->upload(std::as_bytes(std::span(data)));
  return buffer;
}

/// Filled with bytes 0xA5.
std::unique_ptr<device::Buffer> output(device::Device& device, const std::string& name, std::size_t bytes);

template <class T>
std::vector<T> contents(const device::Buffer& buffer) {
  std::vector<T> data(buffer.bytes() / sizeof(T));
  buffer.download(std::as_writable_bytes(std::span(data)));
  return data;
}

/// A checkpoint's matrix: codes u8 [n, k/2], the even k in the low nibble, scales u8 [n, k/16], both
/// row-major.
struct Checkpoint {
  std::uint32_t n, k;
  std::vector<std::uint8_t> codes, scales;

  std::uint8_t code(std::uint32_t row, std::uint32_t column) const;
  std::uint8_t scale(std::uint32_t row, std::uint32_t group) const { return scales[row * (k / 16) + group]; }
};

/// Any codes; scale bytes from `least` to `greatest`.
Checkpoint random_checkpoint(std::uint32_t n, std::uint32_t k, std::mt19937& random, int least = 0x01,
                             int greatest = 0x47);

float e2m1(std::uint8_t code);
float e4m3(std::uint8_t byte);
std::uint16_t half(float x);  ///< by the compiler's _Float16
float to_float(std::uint16_t bits);

/// FP16 numbers between 2^-6 and 2^3 of either sign.
std::vector<std::uint16_t> random_halves(std::size_t count, std::mt19937& random);

/// h(sum of x . w) of one element in the order of the plan, one fused step after the other.
std::uint16_t summed(const AccumulationPlan& plan, reference::Model model, std::span<const std::uint16_t> x,
                     std::span<const std::uint16_t> w);

}  // namespace quadpair::emulated
