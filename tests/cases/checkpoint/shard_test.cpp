// Ranks' slices put together are the whole, bit for bit.
#include "cases/checkpoint/shard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>

#include "cases/checkpoint/read_nvfp4.hpp"
#include "tests/cases/checkpoint/model.hpp"

namespace quadpair::cases {
namespace {

using ::testing::HasSubstr;
using testing::refusal_of;
using testing::Tensors;

/// One stored NVFP4 tensor "t" of a part.
Tensors stored(const Part& part, std::uint32_t k) {
  Tensors tensors;
  tensors.add_packed("t", part.stored_rows(), k, 2688);
  return tensors;
}

QuantizedMatrix read(const std::string& bytes, const Cut& cut) {
  const Safetensors file(std::as_bytes(std::span(bytes)), "memory");
  return read_nvfp4([&](const std::string&) -> const Safetensors& { return file; }, "t",
                    compressed_tensors_nvfp4, cut);
}

/// The stored row of row `row` of the part, by definition.
std::uint64_t stored_row(const Part& part, std::uint64_t row) {
  return row / part.length * part.group_rows + part.offset + row % part.length;
}

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& to, const Bytes& from) {
  to.insert(to.end(), from.begin(), from.end());
}

RC_GTEST_PROP(Shard, RowsOfAllRanksAreThePart, ()) {
  Part part;
  part.groups = *rc::gen::inRange(1u, 5u);
  part.offset = *rc::gen::inRange(0u, 4u);
  part.length = *rc::gen::inRange(1u, 7u) * 2;
  part.group_rows = part.offset + part.length + *rc::gen::inRange(0u, 3u);
  std::vector<std::uint32_t> divisors;
  for (std::uint32_t d = 1; d <= part.rows(); ++d)
    if (part.rows() % d == 0) divisors.push_back(d);
  part.units = *rc::gen::elementOf(divisors);
  part.replicate = *rc::gen::arbitrary<bool>();
  part.tensor = "t";
  const std::uint32_t copies = part.replicate ? *rc::gen::inRange(1u, 4u) : 1;
  std::uint32_t tp = part.units * copies;
  if (copies == 1)
    while (tp > 1 && part.units % tp != 0) --tp;
  const std::uint32_t k = 16 * *rc::gen::inRange(1u, 4u);

  Projection projection{"p", {}, false, false, false, false, k, k, {part}};
  const std::string bytes = safetensors_bytes(stored(part, k));
  Bytes codes, scales;
  for (std::uint32_t rank = 0; rank < tp; ++rank) {
    const QuantizedMatrix slice = read(bytes, cuts_of(projection, rank, tp).at(0));
    RC_ASSERT(slice.n * tp == part.rows() * copies);
    if (rank % copies != 0) continue;  // a copy of the rank before: checked below
    append(codes, slice.codes);
    append(scales, slice.scales);
    for (std::uint32_t twin = rank + 1; twin < rank + copies; ++twin)
      RC_ASSERT(read(bytes, cuts_of(projection, twin, tp).at(0)).codes == slice.codes);
  }
  const QuantizedMatrix all = read(bytes, whole(part.stored_rows(), k));
  Bytes expected_codes, expected_scales;
  for (std::uint32_t row = 0; row < part.rows(); ++row) {
    const std::uint64_t at = stored_row(part, row);
    for (std::uint64_t i = 0; i < k / 2; ++i) expected_codes.push_back(all.codes[at * k / 2 + i]);
    for (std::uint64_t i = 0; i < k / 16; ++i) expected_scales.push_back(all.scales[at * k / 16 + i]);
  }
  RC_ASSERT(codes == expected_codes);
  RC_ASSERT(scales == expected_scales);
}

RC_GTEST_PROP(Shard, ColumnsOfAllRanksAreTheMatrix, ()) {
  const std::uint32_t tp = *rc::gen::inRange(1u, 7u), groups = *rc::gen::inRange(1u, 4u);
  const std::uint32_t n = *rc::gen::inRange(1u, 9u), k = tp * groups * 16;
  const Part part{"t", 1, n, 0, n, n, false};
  const Projection projection{"p", {}, false, false, true, false, k, tp, {part}};
  const std::string bytes = safetensors_bytes(stored(part, k));
  const QuantizedMatrix all = read(bytes, whole(n, k));
  Bytes codes(all.codes.size()), scales(all.scales.size());
  for (std::uint32_t rank = 0; rank < tp; ++rank) {
    const QuantizedMatrix slice = read(bytes, cuts_of(projection, rank, tp).at(0));
    RC_ASSERT(slice.k == groups * 16);
    for (std::uint32_t row = 0; row < n; ++row)
      for (std::uint32_t g = 0; g < groups; ++g) {
        scales[(row * tp + rank) * groups + g] = slice.scales[row * groups + g];
        for (std::uint32_t b = 0; b < 8; ++b)
          codes[((row * tp + rank) * groups + g) * 8 + b] = slice.codes[(row * groups + g) * 8 + b];
      }
  }
  RC_ASSERT(codes == all.codes);
  RC_ASSERT(scales == all.scales);
}

TEST(Shard, RefusesWhatRanksCannotShare) {
  const Part q{"q", 1, 512, 0, 512, 8, false}, kv{"kv", 1, 128, 0, 128, 2, true};
  const Projection rows{"attn.qkv", {}, false, false, false, false, 64, 64, {q, kv}};
  EXPECT_EQ(refusal_of([&] { cuts_of(rows, 0, 8); }), "accepted");
  EXPECT_EQ(refusal_of([&] { cuts_of(rows, 0, 3); }),
            "attn.qkv: 'q' has 8 units of 64 rows, which 3 ranks cannot share");
  EXPECT_EQ(refusal_of([&] { cuts_of(rows, 0, 16); }),
            "attn.qkv: 'q' has 8 units of 64 rows, which 16 ranks cannot share");
  const Projection by_k{"mlp.down", {}, false, false, true, false, 96, 96, {q}};
  EXPECT_EQ(refusal_of([&] { cuts_of(by_k, 0, 3); }), "accepted");
  EXPECT_THAT(refusal_of([&] { cuts_of(by_k, 0, 4); }),
              HasSubstr("mlp.down: k = 96 in 96 units, which 4 ranks"));
  const Projection heads{"attn.o", {}, false, false, true, false, 512, 4, {q}};
  EXPECT_THAT(refusal_of([&] { cuts_of(heads, 0, 8); }), HasSubstr("attn.o: k = 512 in 4 units"));
}

TEST(Shard, KeysAndValuesOfFewHeadsAreHeldByNeighbours) {
  const Part kv{"kv", 1, 128, 0, 128, 2, true};
  const Projection projection{"kv", {}, false, false, false, false, 64, 64, {kv}};
  for (std::uint32_t rank = 0; rank < 8; ++rank)
    EXPECT_EQ(cuts_of(projection, rank, 8).at(0).rows, (std::vector<RowRun>{{rank < 4 ? 0u : 64u, 64}}));
}

}  // namespace
}  // namespace quadpair::cases
