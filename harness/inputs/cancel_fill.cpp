#include "harness/inputs/fills.hpp"
#include "reference/formats/fp16.hpp"

namespace quadpair::inputs {
namespace {

constexpr std::uint32_t group_k = 16;
constexpr std::uint32_t nobody = group_k;

/// The large half of a pair: a random 11-bit significand, 2^2 to 2^6.
std::uint16_t draw_large(std::uint64_t bits) {
  const std::uint64_t exponent = 15 + 2 + (bits >> 16) % 5;
  return static_cast<std::uint16_t>((bits >> 63) << 15 | exponent << 10 | (bits & 0x3FF));
}

/// Overwrites pairs of positions whose codes have equal magnitude, so that x[a] w[a] + x[b] w[b] = 0.
void pair_group(const std::uint8_t* codes, const cases::RandomStream& stream, std::uint64_t first,
                std::uint16_t* x) {
  std::uint32_t waiting[8];  // by magnitude: the position that has no partner yet
  for (std::uint32_t& position : waiting) position = nobody;
  const auto code_at = [&](std::uint32_t k) { return codes[k / 2] >> (4 * (k & 1)) & 15; };
  for (std::uint32_t k = 0; k < group_k; ++k) {
    const unsigned magnitude = code_at(k) & 7;
    if (magnitude == 0) continue;
    std::uint32_t& partner = waiting[magnitude];
    if (partner == nobody) {
      partner = k;
      continue;
    }
    const bool same_sign = (code_at(k) & 8) == (code_at(partner) & 8);
    x[partner] = draw_large(stream(first + k));
    x[k] = x[partner] ^ (same_sign ? 0x8000 : 0);
    partner = nobody;
  }
}

}  // namespace

std::vector<std::uint16_t> fill_cancel(const FillRequest& request) {
  const cases::QuantizedMatrix& w = request.weights;
  std::vector<std::uint16_t> x(std::size_t{request.m} * w.k);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = reference::to_half(draw_normal(request.stream, i) * 0x1p-8f);
  const cases::RandomStream features = request.stream.child(1), pairs = request.stream.child(2);
  for (std::size_t row = 0; row < request.m; ++row) {
    const std::size_t feature = features(row) % w.n;
    for (std::size_t k = 0; k < w.k; k += group_k)
      pair_group(&w.codes[(feature * w.k + k) / 2], pairs, row * w.k + k, &x[row * w.k + k]);
  }
  return x;
}

}  // namespace quadpair::inputs
