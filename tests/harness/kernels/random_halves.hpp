// Random FP16 data of tests.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "reference/formats/fp16.hpp"

namespace quadpair {

/// Normal numbers of mean 0 and the given deviation.
inline std::vector<std::uint16_t> random_halves(std::size_t count, float deviation, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, deviation);
  std::vector<std::uint16_t> halves(count);
  for (auto& half : halves) half = reference::to_half(normal(generator));
  return halves;
}

}  // namespace quadpair
