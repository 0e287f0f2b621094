#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <bitset>
#include <fstream>
#include <iterator>

#include "cases/embedded.hpp"
#include "cases/error.hpp"
#include "cases/slices.hpp"
#include "cases/suite.hpp"

namespace quadpair::cases {
namespace {

struct Expected {
  std::string name;
  std::uint32_t n, k, halves;
  std::uint32_t g_bits;  ///< of the FP32 nearest to 1/d, computed elsewhere from the file's d
};

// Shapes from cases/real/README.md.
const Expected slices[] = {
    {"minilm.0.qkv", 1152, 384, 1, 0x3996AD6Du},      {"minilm.0.o", 384, 384, 1, 0x39CA8339u},
    {"minilm.0.up", 1536, 384, 1, 0x3A1140BEu},       {"minilm.0.down", 384, 1536, 1, 0x3B40F86Du},
    {"whisper.2.qkv", 2304, 768, 1, 0x392A9249u},     {"whisper.2.o", 768, 768, 1, 0x38A38618u},
    {"whisper.2.down", 768, 3072, 1, 0x399479E8u},    {"smollm2.15.gate", 1536, 640, 1, 0x3A949B6Eu},
    {"smollm2.15.up", 1536, 640, 1, 0x3A949B6Eu},     {"smollm2.15.down", 576, 1536, 1, 0x3A955B6Eu},
    {"smollm2.15.gate_up", 3072, 640, 2, 0x3A949B6Eu}};

TEST(RealSlices, LoadWithTheirShapesAndAllCodes) {
  for (const Expected& expected : slices) {
    SCOPED_TRACE(expected.name);
    const auto w = load_slice(expected.name, 0);
    EXPECT_EQ(w->name, expected.name);
    EXPECT_EQ(w->source, "cases/real/real-slices.safetensors");
    EXPECT_EQ(w->n, expected.n);
    EXPECT_EQ(w->k, expected.k);
    EXPECT_EQ(w->halves, expected.halves);
    EXPECT_EQ(slice_shape(expected.name), (SliceShape{expected.n, expected.k, expected.halves}));
    ASSERT_EQ(w->codes.size(), std::size_t{expected.n} * expected.k / 2);
    ASSERT_EQ(w->scales.size(), std::size_t{expected.n} * expected.k / 16);
    std::bitset<16> codes;
    for (std::uint8_t byte : w->codes) codes.set(byte & 15).set(byte >> 4);
    EXPECT_TRUE(codes.all());
    std::bitset<256> scales;
    for (std::uint8_t byte : w->scales) scales.set(byte);
    EXPECT_GE(scales.count(), 35u);
    EXPECT_LE(scales.count(), 71u);  // 35 to 70, and zero in padding
    ASSERT_EQ(w->globals.size(), 1u);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(w->globals[0]), expected.g_bits);
  }
  EXPECT_EQ(real_slice_names().size(), std::size(slices));
}

TEST(RealSlices, GateUpIsGateOverUp) {
  const auto gate = load_slice("smollm2.15.gate", 0), up = load_slice("smollm2.15.up", 0);
  auto codes = gate->codes;
  codes.insert(codes.end(), up->codes.begin(), up->codes.end());
  EXPECT_EQ(load_slice("smollm2.15.gate_up", 0)->codes, codes);
}

TEST(RealSlices, MiniLmHasActivations) {
  for (const Expected& expected : slices) {
    const bool minilm = expected.name.starts_with("minilm");
    EXPECT_EQ(has_activations(expected.name), minilm);
    const auto activations = load_activations(expected.name);
    ASSERT_EQ(activations.has_value(), minilm);
    if (!activations) continue;
    EXPECT_EQ(activations->rows, 64u);
    EXPECT_EQ(activations->k, expected.k);
    EXPECT_EQ(activations->values.size(), 64u * expected.k);
  }
}

TEST(RealSlices, EmbeddedBytesAreTheCommittedFile) {
  std::ifstream in(std::string(QUADPAIR_TEST_DATA) + "/../" + std::string(real_slices_file),
                   std::ios::binary);
  const std::string committed{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(find_embedded(real_slices_file)->text() == committed);
  EXPECT_FALSE(find_embedded("cases/real/other.safetensors"));
}

TEST(RealSlices, UnknownNamesAreRefused) {
  EXPECT_THROW(load_slice("minilm.1.qkv", 0), DataError);
  EXPECT_FALSE(slice_shape("minilm.1.qkv"));
}

}  // namespace
}  // namespace quadpair::cases
