// The ranks' slices are slices of one full tensor.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "cases/made_up.hpp"
#include "cases/slices.hpp"
#include "cases/suite.hpp"

namespace quadpair::cases {
namespace {

struct Expected {
  const char* name;
  std::uint32_t k;                   ///< of the full tensor
  std::vector<std::uint32_t> parts;  ///< rows of the full tensor; empty: ranks split k
};

// From the model's head counts: 16 key and 48 value heads of 128, 24 query heads of 256 with gates, 4 of
// keys.
const Expected fused[] = {{"gdn_in", 5120, {16 * 128, 16 * 128, 48 * 128, 48 * 128, 48, 48}},
                          {"attn_qkv", 5120, {24 * 256 * 2, 4 * 256, 4 * 256}}};

TEST(Sharded, ShapesAreTheProductionOnes) {
  for (const char* name : {"gdn_in", "gdn_out", "attn_qkv", "attn_o", "mlp_gate_up", "mlp_down"})
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
      const SliceShape plain = slice_shape(name).value();
      const std::string sharded = std::string(name) + "@r" + std::to_string(rank);
      EXPECT_EQ(slice_shape(sharded), (SliceShape{plain.n, plain.k, plain.halves, rank, 4})) << sharded;
    }
  for (const char* name : {"gdn_in@r4", "gdn_in@r", "gdn_in@r00", "gdn_in@", "edge.unit@r0", "gdn_in@r/"})
    EXPECT_FALSE(slice_shape(name)) << name;
}

/// Bytes of one row: codes, then scales.
std::vector<std::uint8_t> row_of(const QuantizedMatrix& w, std::size_t row) {
  const auto codes = w.codes.begin() + static_cast<std::ptrdiff_t>(row * w.k / 2);
  const auto scales = w.scales.begin() + static_cast<std::ptrdiff_t>(row * w.k / 16);
  std::vector<std::uint8_t> bytes(codes, codes + w.k / 2);
  bytes.insert(bytes.end(), scales, scales + w.k / 16);
  return bytes;
}

TEST(Sharded, RowsOfEachPartConcatenatedGiveTheWhole) {
  for (const Expected& expected : fused) {
    const QuantizedMatrix whole = make_shard(expected.name, 0, 1, 7);
    std::vector<std::shared_ptr<const QuantizedMatrix>> ranks(4);
    for (std::size_t rank = 0; rank < 4; ++rank)
      ranks[rank] = load_slice(fmt::format("{}@r{}", expected.name, rank), 7);
    std::size_t full_row = 0, first = 0;  // of the part: in the whole, and in a rank
    for (const std::uint32_t rows : expected.parts) {
      for (std::size_t row = 0; row < rows; ++row, ++full_row)
        ASSERT_EQ(row_of(whole, full_row), row_of(*ranks[row / (rows / 4)], first + row % (rows / 4)))
            << expected.name << " row " << full_row;
      first += rows / 4;
    }
    EXPECT_EQ(full_row, whole.n);
    EXPECT_EQ(first, ranks[0]->n);
  }
}

TEST(Sharded, ColumnsConcatenatedGiveTheWhole) {
  const QuantizedMatrix whole = make_shard("gdn_out", 0, 1, 7);
  ASSERT_EQ(whole.k, 6144u);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const auto slice = load_slice("gdn_out@r" + std::to_string(rank), 7);
    ASSERT_EQ(slice->globals, whole.globals);
    for (std::size_t row = 0; row < whole.n; ++row) {
      ASSERT_TRUE(std::equal(&slice->codes[row * 768], &slice->codes[row * 768] + 768,
                             &whole.codes[row * 3072 + rank * 768]));
      ASSERT_TRUE(std::equal(&slice->scales[row * 96], &slice->scales[row * 96] + 96,
                             &whole.scales[row * 384 + rank * 96]));
    }
  }
}

TEST(Sharded, RanksShareTheScalesOfTheirParts) {
  const auto a = load_slice("gdn_in@r1", 3), b = load_slice("gdn_in@r3", 3);
  EXPECT_EQ(a->globals, b->globals);
  EXPECT_NE(a->codes, b->codes);
  ASSERT_EQ(a->globals.size(), 129u);
  EXPECT_EQ(std::set<float>(a->globals.begin(), a->globals.end()).size(), 5u);
  EXPECT_NE(a->globals[15], a->globals[16]);
  EXPECT_NE(a->globals[127], a->globals[128]);
  const auto gate_up = load_slice("mlp_gate_up@r2", 3);
  ASSERT_EQ(gate_up->globals.size(), 272u);
  EXPECT_NE(gate_up->globals[135], gate_up->globals[136]);
}

TEST(Sharded, OtherSlicesAreRefused) {
  EXPECT_THROW(make_shard("edge.unit", 0, 4, 1), std::invalid_argument);
  EXPECT_THROW(make_shard("gdn_in", 4, 4, 1), std::invalid_argument);
  EXPECT_THROW(make_shard("gdn_in", 0, 3, 1), std::invalid_argument);
}

}  // namespace
}  // namespace quadpair::cases
