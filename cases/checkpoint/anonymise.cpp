#include "cases/checkpoint/anonymise.hpp"

#include <utility>
#include <vector>

namespace quadpair::cases {
namespace {

template <class T>
void shuffle(std::vector<T>& values, const RandomStream& stream) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[stream(i) % i]);
}

}  // namespace

void anonymise(QuantizedMatrix& matrix, const RandomStream& stream) {
  if (matrix.format == WeightFormat::nvfp4) {
    std::vector<std::uint8_t> nibbles;
    nibbles.reserve(matrix.codes.size() * 2);
    for (const std::uint8_t byte : matrix.codes) {
      nibbles.push_back(byte & 15);
      nibbles.push_back(byte >> 4);
    }
    shuffle(nibbles, stream.child(0));
    for (std::size_t i = 0; i < matrix.codes.size(); ++i)
      matrix.codes[i] = static_cast<std::uint8_t>(nibbles[2 * i] | nibbles[2 * i + 1] << 4);
  } else {
    shuffle(matrix.codes, stream.child(0));
  }
  shuffle(matrix.scales, stream.child(1));
  shuffle(matrix.fp8_scales, stream.child(2));
  matrix.fp16.clear();
}

}  // namespace quadpair::cases
