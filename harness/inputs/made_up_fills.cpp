#include <algorithm>
#include <array>
#include <bit>

#include "harness/inputs/fills.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::inputs {
namespace {

constexpr std::uint16_t plus_inf = 0x7C00, minus_inf = 0xFC00, negative_nan = 0xFE5A, one = 0x3C00;

template <class Draw>
std::vector<std::uint16_t> fill_each(const FillRequest& request, Draw draw) {
  std::vector<std::uint16_t> x(std::size_t{request.m} * request.weights.k);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = draw(i);
  return x;
}

}  // namespace

float draw_normal(const cases::RandomStream& stream, std::uint64_t index) {
  std::int32_t sum = -12 * 65535 / 2;
  for (std::uint64_t word = 0; word < 3; ++word) {
    const std::uint64_t bits = stream(3 * index + word);
    for (unsigned shift = 0; shift < 64; shift += 16)
      sum += static_cast<std::int32_t>(bits >> shift & 0xFFFF);
  }
  return static_cast<float>(sum) * 0x1p-16f;
}

std::vector<std::uint16_t> fill_normal(const FillRequest& request) {
  return fill_each(request,
                   [&](std::size_t i) { return reference::to_half(draw_normal(request.stream, i)); });
}

std::vector<std::uint16_t> fill_heavy(const FillRequest& request) {
  const cases::RandomStream levels = request.stream.child(1);
  return fill_each(request, [&](std::size_t i) {
    const int level = std::min(std::countr_zero(levels(i)) / 3, 8);
    return reference::to_half(draw_normal(request.stream, i) * static_cast<float>(1 << level) * 0.25f);
  });
}

std::vector<std::uint16_t> fill_subnormal(const FillRequest& request) {
  return fill_each(request, [&](std::size_t i) {
    const std::uint64_t bits = request.stream(i);
    const std::uint64_t magnitude = std::max<std::uint64_t>((bits & 0x3FF) >> (bits >> 16) % 10, 1);
    return static_cast<std::uint16_t>(magnitude | (bits >> 63) << 15);
  });
}

std::vector<std::uint16_t> fill_exact(const FillRequest& request) {
  return fill_each(request, [&](std::size_t i) {
    return reference::to_half(static_cast<float>(request.stream(i) % 17) - 8.0f);
  });
}

std::vector<std::uint16_t> fill_special(const FillRequest& request) {
  std::vector<std::uint16_t> x = fill_normal(request);
  const std::size_t k = request.weights.k;
  const cases::RandomStream places = request.stream.child(1);
  for (std::size_t row = 0; row < request.m; ++row) {
    std::uint16_t* values = &x[row * k];
    const std::size_t at = places(row) % k;
    if (row % 4 == 1) values[at] = negative_nan;
    if (row % 4 == 0 || row % 4 == 2) values[at] = plus_inf;
    if (row % 4 == 2) values[(at + 1) % k] = minus_inf;
  }
  return x;
}

std::vector<std::uint16_t> fill_onehot(const FillRequest& request) {
  const std::size_t k = request.weights.k;
  std::vector<std::uint16_t> x(request.m * k);
  for (std::size_t row = 0; row < request.m; ++row)
    x[row * k + (std::size_t{request.round} * request.m + row) % k] = one;
  return x;
}

std::vector<std::uint16_t> fill_bits(const FillRequest& request) {
  std::vector<std::uint16_t> x(std::size_t{request.m} * request.weights.k);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<std::uint16_t>(i + std::size_t{request.round} * (request.weights.k / 2));
  return x;
}

std::vector<std::uint16_t> fill_gates(const FillRequest& request) {
  constexpr std::array<std::uint16_t, 13> gates = {0x3447, 0xB6D9, 0xB9B6, 0xC173, 0xC4EC, 0xC537, 0xC7A5,
                                                   0x9000, 0x91A8, 0xBC88, 0x5587, 0x5984, 0xD98F};
  const std::size_t k = request.weights.k;
  std::vector<std::uint16_t> x(request.m * k);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i % k == k - 1 ? one : gates[(i + request.round) % gates.size()];
  return x;
}

}  // namespace quadpair::inputs
