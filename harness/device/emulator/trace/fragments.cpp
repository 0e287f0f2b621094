#include "harness/device/emulator/trace/fragments.hpp"

namespace quadpair::emulator {
namespace {

/// One 8x8x4 product a quad-pair, lanes 4q..4q+3 and 16+4q..16+4q+3: each holds a row of a and a column of b.
FactorPlaces quad_pair_factor(std::uint32_t lane, std::uint32_t element, std::uint32_t k) {
  const std::uint32_t row = (lane & 1) + (element & 2) + (lane >= 16 ? 4 : 0);
  const std::uint32_t column = (element & 4) + (lane & 2) + (element & 1);
  const std::uint32_t first = lane % 16 / 4 * 4;
  const auto holder = [&](std::uint32_t index) { return first + index % 4 + (index >= 4 ? 16 : 0); };
  return {{holder(row), k / 2, k % 2}, {holder(column), k / 2, k % 2}};
}

/// m16n8k8 and m16n8k16: lane 4g + t holds rows g and g + 8 of a and column g of b, k 2t, 2t + 1 (and 8
/// more).
FactorPlaces native_factor(std::uint32_t lane, std::uint32_t element, std::uint32_t k) {
  const std::uint32_t row_half = element / 2, row_lane = lane / 4, column = lane % 4 * 2 + element % 2;
  const std::uint32_t t = k % 8 / 2;
  return {{row_lane * 4 + t, row_half + k / 8 * 2, k % 2}, {column * 4 + t, k / 8, k % 2}};
}

}  // namespace

std::optional<MmaShape> mma_shape(std::string_view mnemonic) {
  if (!mnemonic.starts_with("mma.")) return std::nullopt;
  for (const MmaShape shape : {MmaShape::m16n8k16, MmaShape::m16n8k8, MmaShape::m8n8k4})
    if (mnemonic.find(to_string(shape)) != std::string_view::npos) return shape;
  return std::nullopt;
}

std::vector<FactorPlaces> factors_of(MmaShape shape, std::uint32_t lane, std::uint32_t element) {
  std::vector<FactorPlaces> places;
  for (std::uint32_t k = 0; k < products(shape); ++k)
    places.push_back(shape == MmaShape::m8n8k4 ? quad_pair_factor(lane, element, k)
                                               : native_factor(lane, element, k));
  return places;
}

}  // namespace quadpair::emulator
