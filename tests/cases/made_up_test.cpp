#include "cases/made_up.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <set>
#include <vector>

#include "cases/slices.hpp"
#include "cases/suite.hpp"

namespace quadpair::cases {
namespace {

std::uint64_t fingerprint(const QuantizedMatrix& w) {
  std::uint64_t hash = XXH3_64bits(w.codes.data(), w.codes.size());
  hash = XXH3_64bits_withSeed(w.scales.data(), w.scales.size(), hash);
  return XXH3_64bits_withSeed(w.globals.data(), w.globals.size() * sizeof(float), hash);
}

struct Production {
  const char* name;
  std::uint32_t n, k, halves;
  std::size_t globals;
};

// The table of production shapes; parts that have a scale of their own fill 16+16+48+48+1 and 136+136 tiles.
const Production production[] = {{"gdn_in", 4120, 5120, 1, 129},      {"gdn_out", 5120, 1536, 1, 1},
                                 {"attn_qkv", 3584, 5120, 1, 1},      {"attn_o", 5120, 1536, 1, 1},
                                 {"mlp_gate_up", 8704, 5120, 2, 272}, {"mlp_down", 5120, 4352, 1, 1}};

TEST(MadeUp, ProductionProjectionsHaveTheirShapes) {
  for (const Production& expected : production) {
    SCOPED_TRACE(expected.name);
    const auto w = load_slice(expected.name, 5);
    EXPECT_EQ(w->source, "made-up, seed 5");
    EXPECT_EQ(slice_shape(expected.name), (SliceShape{expected.n, expected.k, expected.halves}));
    EXPECT_EQ(w->n, expected.n);
    EXPECT_EQ(w->k, expected.k);
    EXPECT_EQ(w->halves, expected.halves);
    EXPECT_EQ(w->globals.size(), expected.globals);
    EXPECT_EQ(w->codes.size(), std::size_t{expected.n} * expected.k / 2);
    EXPECT_EQ(w->scales.size(), std::size_t{expected.n} * expected.k / 16);
  }
}

TEST(MadeUp, FusedPartsHaveScalesOfTheirOwn) {
  const auto in = load_slice("gdn_in", 0);
  EXPECT_EQ(std::set<float>(in->globals.begin(), in->globals.end()).size(), 5u);
  EXPECT_EQ(in->globals[127], in->globals[80]);
  EXPECT_NE(in->globals[127], in->globals[128]);
  const auto fused = load_slice("mlp_gate_up", 0);
  EXPECT_EQ(fused->globals[0], fused->globals[135]);
  EXPECT_NE(fused->globals[135], fused->globals[136]);
}

TEST(MadeUp, TheSameForAnyNumberOfThreads) {
  std::set<std::uint64_t> seen;
  for (std::size_t threads : {1, 2, 3}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    seen.insert(fingerprint(*load_slice("mlp_down", 11)));
  }
  EXPECT_EQ(seen.size(), 1u);
}

TEST(MadeUp, NameAndSeedBothMatter) {
  const auto print = [](const char* name, std::uint64_t seed) {
    return fingerprint(*load_slice(name, seed));
  };
  const std::set<std::uint64_t> prints = {print("gdn_out", 0), print("attn_o", 0), print("gdn_out", 1)};
  EXPECT_EQ(prints.size(), 3u);
}

/// The 8 code bytes of a group.
std::vector<unsigned> group_codes(const QuantizedMatrix& w, std::size_t row, std::size_t group) {
  const auto begin = w.codes.begin() + static_cast<std::ptrdiff_t>(row * w.k / 2 + 8 * group);
  return {begin, begin + 8};
}

TEST(MadeUp, BytesAreThoseOfAnotherProgram) {
  // Computed by the same definition written in Python.
  const auto in = load_slice("gdn_in", 1);
  EXPECT_EQ(group_codes(*in, 0, 0), (std::vector<unsigned>{0xCD, 0xB4, 0xD9, 0xD1, 0x61, 0x67, 0x5E, 0x9E}));
  EXPECT_EQ(in->scales.front(), 0x5D);
  EXPECT_EQ(group_codes(*in, 4119, 319),
            (std::vector<unsigned>{0x3E, 0x75, 0xBC, 0xA6, 0xD3, 0xA4, 0xB2, 0xC5}));
  EXPECT_EQ(in->scales.back(), 0x68);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(in->globals.back()), 0x38F45A24u);
  const auto parts = load_slice("edge.fused_parts", 1);
  EXPECT_EQ(group_codes(*parts, 0, 0),
            (std::vector<unsigned>{0xF7, 0xBD, 0x24, 0xD8, 0x7C, 0xC9, 0x18, 0x9F}));
  EXPECT_EQ(std::vector<unsigned>(parts->scales.begin(), parts->scales.begin() + 4),
            (std::vector<unsigned>{116, 22, 123, 107}));
}

TEST(MadeUp, BytesNeverChange) {
  // Recorded once: a change would make the seeds of old reports meaningless.
  EXPECT_EQ(fingerprint(*load_slice("attn_o", 1)), 7775871675307926509u);
  EXPECT_EQ(fingerprint(*load_slice("gdn_in", 1)), 5683788281333217275u);
  EXPECT_EQ(fingerprint(*load_slice("edge.fused_parts", 1)), 939327515812951295u);
}

struct Statistics {
  std::array<double, 16> codes{};  ///< shares
  double mean = 0, deviation = 0;  ///< of scale bytes
  std::uint8_t lowest = 255, highest = 0;
};

Statistics statistics(const QuantizedMatrix& w) {
  Statistics s;
  for (std::uint8_t byte : w.codes) {
    s.codes[byte & 15] += 0.5 / static_cast<double>(w.codes.size());
    s.codes[byte >> 4] += 0.5 / static_cast<double>(w.codes.size());
  }
  double sum = 0, squares = 0;
  for (std::uint8_t byte : w.scales) {
    sum += byte;
    squares += byte * byte;
    s.lowest = std::min(s.lowest, byte);
    s.highest = std::max(s.highest, byte);
  }
  const auto count = static_cast<double>(w.scales.size());
  s.mean = sum / count;
  s.deviation = std::sqrt(squares / count - s.mean * s.mean);
  return s;
}

TEST(MadeUp, DrawnLikeTheRealOnes) {
  const Statistics real = statistics(*load_slice("smollm2.15.down", 0));
  for (const Production& projection : production) {
    SCOPED_TRACE(projection.name);
    const auto w = load_slice(projection.name, 3);
    const Statistics made_up = statistics(*w);
    for (unsigned code = 0; code < 16; ++code)
      EXPECT_NEAR(made_up.codes[code], real.codes[code], 0.012) << code;
    EXPECT_NEAR(made_up.mean, real.mean, 6);
    EXPECT_GT(made_up.deviation, real.deviation);  // the spread of the widest real ones: 5 to 10
    EXPECT_LT(made_up.deviation, 10);
    EXPECT_GE(made_up.lowest, 0x36);
    EXPECT_LT(made_up.lowest, 0x50);
    EXPECT_EQ(made_up.highest, 0x7E);
    for (std::size_t group = 0; group < w->scales.size(); group += 97) {  // quantisation leaves a 6 in each
      const bool largest = std::any_of(&w->codes[8 * group], &w->codes[8 * group] + 8, [](std::uint8_t byte) {
        return (byte & 7) == 7 || (byte >> 4 & 7) == 7;
      });
      ASSERT_TRUE(largest) << group;
    }
    for (float g : w->globals) {
      EXPECT_GT(g, 1.0f / 8704);
      EXPECT_LE(g, 1.0f / 512);
    }
  }
}

TEST(MadeUp, EveryCodeMeetsEveryAdmissibleScale) {
  for (const char* name : {"edge.all_codes", "edge.all_codes_2688"}) {
    SCOPED_TRACE(name);
    const auto w = load_slice(name, 0);
    std::array<std::bitset<16>, 256> met;
    std::array<std::bitset<16>, 16> at_position;  // codes that position k mod 16 has held
    for (std::size_t i = 0; i < w->codes.size(); ++i) {
      met[w->scales[i / 8]].set(w->codes[i] & 15).set(w->codes[i] >> 4);
      at_position[2 * i % 16].set(w->codes[i] & 15);
      at_position[2 * i % 16 + 1].set(w->codes[i] >> 4);
    }
    for (unsigned scale = 0; scale < 256; ++scale)
      EXPECT_EQ(met[scale].count(), scale < 0x7F ? 16u : 0u) << scale;
    for (const auto& codes : at_position) EXPECT_TRUE(codes.all());
  }
}

TEST(MadeUp, PickedGatesAreElementsOfX) {
  const auto w = load_slice("edge.gated_picked", 1);
  const auto code = [&](std::size_t row, std::size_t k) {
    const std::size_t at = row * w->k + k;
    return w->codes[at / 2] >> (4 * (at % 2)) & 15;
  };
  for (std::size_t row = 0; row < w->n; ++row)
    for (std::size_t k = 0; k < w->k; ++k) {
      const bool picked = row < w->n / 2 ? k == row : k == w->k - 1;
      ASSERT_EQ(code(row, k), picked ? 2 : 0) << row << ", " << k;  // E2M1 of 1
    }
  EXPECT_TRUE(std::ranges::all_of(w->scales, [](std::uint8_t byte) { return byte == 0x38; }));  // E4M3 of 1
  EXPECT_EQ(w->globals, std::vector<float>{1});
}

}  // namespace
}  // namespace quadpair::cases
