// TurboMind's buffers by their definitions, element by element.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/convert/turbomind.hpp"
#include "kernels/qpn2/layout.hpp"
#include "tests/kernels/emulated/emulated.hpp"

namespace quadpair::convert {
namespace {

using namespace emulated;

class Turbomind : public testing::TestWithParam<Target> {
 protected:
  std::mt19937 random_{11};
  std::unique_ptr<device::Device> device_ = emulator(GetParam());
};

TEST_P(Turbomind, PackedByDefinition) {
  constexpr std::uint32_t n = 90, k = 192, padded = 128;
  const Checkpoint matrix = random_checkpoint(n, k, random_);
  const auto codes = input(*device_, "codes", matrix.codes),
             scales = input(*device_, "scales", matrix.scales);
  const auto packed_codes = output(*device_, "packed codes", turbomind_code_bytes(padded, k));
  const auto packed_scales = output(*device_, "packed scales", turbomind_scale_bytes(padded, k));
  for (const std::uint32_t halves : {1u, 2u}) {
    const std::uint32_t rows = n / halves, half_padded = qpn2::pad_to_tile(rows);
    const std::uint32_t tiles = half_padded / 32 * halves;
    const std::vector<float> globals = {0.75f, 0.001f, 0.001f, 2.5f};
    device_->run(pack_turbomind({n, k, halves, codes->address(), scales->address(),
                                 global_parts(std::span(globals).first(tiles), tiles),
                                 packed_codes->address(), packed_scales->address()},
                                GetParam()));
    const auto words = contents<std::uint32_t>(*packed_codes);
    const auto halfs = contents<std::uint16_t>(*packed_scales);
    for (std::uint32_t place = 0; place < tiles * 32; ++place) {
      const std::uint32_t in_half = place % half_padded, row = place / half_padded * rows + in_half;
      const bool present = in_half < rows;
      for (std::uint32_t column = 0; column < k; ++column) {
        const std::uint32_t word = words[(place / 32 * (k / 8) + column / 8) * 32 + place % 32];
        // Logical 0..7 stand at physical 0, 4, 1, 5, 2, 6, 3, 7.
        const std::uint32_t physical = column % 8 / 2 + column % 2 * 4;
        ASSERT_EQ(word >> (4 * physical) & 15, present ? matrix.code(row, column) : 0)
            << place << " " << column;
      }
      for (std::uint32_t group = 0; group < k / 16; ++group)
        ASSERT_EQ(halfs[group * tiles * 32 + place],
                  present ? half(e4m3(matrix.scale(row, group)) * globals[place / 32]) : 0)
            << place << " " << group;
    }
  }
}

TEST_P(Turbomind, AnOutputThatIsNotWantedIsLeftAlone) {
  const Checkpoint matrix = random_checkpoint(32, 64, random_);
  const auto codes = input(*device_, "codes", matrix.codes),
             scales = input(*device_, "scales", matrix.scales);
  const auto packed_codes = output(*device_, "packed codes", 1024),
             packed_scales = output(*device_, "s", 256);
  PackTurbomindArguments a{32, 64, 1, codes->address(), 0, {}, packed_codes->address(), 0};
  device_->run(pack_turbomind(a, GetParam()));
  const std::vector<std::uint16_t> untouched(128, 0xA5A5);
  EXPECT_EQ(contents<std::uint16_t>(*packed_scales), untouched);
  a.codes = 0, a.packed_codes = 0, a.scales = scales->address(), a.packed_scales = packed_scales->address();
  a.globals = global_parts(std::vector{1.0f}, 1);
  device_->run(pack_turbomind(a, GetParam()));
  EXPECT_NE(contents<std::uint16_t>(*packed_scales), untouched);
}

TEST_P(Turbomind, EveryScaleByteIsRestored) {
  // 128 bytes of 0x00..0x7E (0x7F is NaN and never admitted) for each of eight multipliers a launch.
  constexpr std::uint32_t k = 64, padded = 8 * 32;
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t part = 0; part < 8; ++part)
    for (std::uint32_t i = 0; i < 128; ++i) bytes.push_back(static_cast<std::uint8_t>(i == 127 ? 0 : i));
  const auto source = input(*device_, "QPN2 scales", bytes);
  const auto target = output(*device_, "scales", turbomind_scale_bytes(padded, k));
  std::uniform_int_distribution<std::uint32_t> mantissa(0, (1u << 23) - 1);
  for (int exponent = -45; exponent <= 16; exponent += 2) {
    std::vector<float> globals = {std::ldexp(1.0f, exponent)};
    while (globals.size() < 8)
      globals.push_back(std::ldexp(1.0f + static_cast<float>(mantissa(random_)) * 0x1p-23f, exponent));
    device_->run(restore_tm_scales(
        {padded, k, source->address(), global_parts(globals, 8), target->address()}, GetParam()));
    const auto restored = contents<std::uint16_t>(*target);
    for (std::uint32_t tile = 0; tile < 8; ++tile)
      for (std::uint32_t i = 0; i < 128; ++i) {
        const std::uint8_t byte = bytes[tile * 128 + i];
        const std::uint32_t column = tile * 32 + qpn2::column_of_lane(i % 32);
        ASSERT_EQ(restored[i / 32 * padded + column], half(e4m3(byte) * globals[tile])) << int{byte};
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Turbomind, testing::ValuesIn(all_targets), target_name);

}  // namespace
}  // namespace quadpair::convert
