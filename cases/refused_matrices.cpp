// Matrices with one fault each, sound otherwise.
#include <limits>

#include "cases/made_up.hpp"

namespace quadpair::cases {
namespace {

constexpr SliceShape fault_shape = {64, 256, 1};

struct Fault {
  std::string_view name;
  float g;
  std::uint32_t row, group;  ///< where `scale` is planted
  std::uint8_t scale;
};

constexpr std::uint8_t sound = 0x40;
constexpr float inf = std::numeric_limits<float>::infinity();

constexpr Fault faults[] = {
    {"refused.scale_nan", 1.0f / 2688, 37, 3, 0x7F},
    {"refused.scale_minus_nan", 1.0f / 2688, 11, 15, 0xFF},
    {"refused.scale_negative", 1.0f / 2688, 5, 2, 0xC1},
    {"refused.scale_infinite", 1.0f, 40, 9, 0x48},  // 4 * 2^14 is beyond FP16
    {"refused.global_zero", 0.0f, 0, 0, sound},
    {"refused.global_negative", -1.0f / 2688, 0, 0, sound},
    {"refused.global_infinite", inf, 0, 0, sound},
    {"refused.global_nan", std::numeric_limits<float>::quiet_NaN(), 0, 0, sound},
    {"refused.global_overflow", 4.0f, 0, 0, sound},       // G = 2^16
    {"refused.global_underflow", 0x1p-39f, 0, 0, sound},  // G = 2^-25 rounds to 0
};

const Fault* find(std::string_view name) {
  for (const Fault& fault : faults)
    if (fault.name == name) return &fault;
  return nullptr;
}

std::optional<SliceShape> shape(std::string_view name) {
  return find(name) == nullptr ? std::nullopt : std::optional(fault_shape);
}

QuantizedMatrix make(std::string_view name, std::uint64_t seed) {
  const Fault& fault = *find(name);
  QuantizedMatrix matrix = blank_matrix(name, fault_shape, seed);
  draw_uniform(matrix, RandomStream(seed, name), 0x30, 0x47);
  matrix.scales[fault.row * (fault_shape.k / 16) + fault.group] = fault.scale;
  matrix.globals = {fault.g};
  return matrix;
}

}  // namespace

const MadeUpFamily refused_family = {shape, make};

}  // namespace quadpair::cases
