// The kernels of the LM head on the emulator against the reference, bit for bit.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/lm_head/dense.hpp"
#include "kernels/lm_head/pack_head.hpp"
#include "kernels/lm_head/rerank.hpp"
#include "kernels/lm_head/screen.hpp"
#include "kernels/lm_head/top1.hpp"
#include "kernels/qpn2/layout.hpp"
#include "reference/gemm/gemm.hpp"
#include "reference/lm_head/candidates.hpp"
#include "reference/lm_head/dot.hpp"
#include "reference/qpn8/weights.hpp"
#include "tests/harness/kernels/emulated.hpp"
#include "tests/harness/kernels/random_halves.hpp"

namespace quadpair::device {
namespace {

class Head : public Emulated {
 protected:
  /// What lm_head_screen chooses of FP16 logits [m, ld].
  std::vector<std::uint32_t> selected(const std::vector<std::uint16_t>& logits, std::uint32_t m,
                                      std::uint32_t n, std::uint32_t ld) {
    Buffer& candidates = out<std::uint32_t>(std::size_t{m} * lm_head::chunks(n) * 64);
    constexpr std::uint32_t k = 128;  // of a product that is not run
    const DevicePtr y = in(logits);
    const auto launches = lm_head::screen(
        {{m, n, k, y, qpn8::ScaleKind::channel, y, y, k, y, ld}, candidates.address()}, target());
    run(std::span(launches).subspan(1));
    return content<std::uint32_t>(candidates);
  }
};
INSTANTIATE_TEST_SUITE_P(Machines, Head, testing::ValuesIn(one_a_target), name_of);

class HeadProduct : public Emulated {};
INSTANTIATE_TEST_SUITE_P(Machines, HeadProduct, testing::ValuesIn(all_machines), name_of);

TEST_P(Head, SelectsAsAStableSortDoes) {
  constexpr std::uint32_t m = 2, n = lm_head::chunk_rows + 4099, ld = n + 5;
  const auto logits = random_halves(std::size_t{m} * ld, 3, 1);  // many ties: few FP16 numbers are near 12
  EXPECT_EQ(selected(logits, m, n, ld),
            reference::screened(logits.data(), m, n, ld, lm_head::chunk_rows, 64));
}

TEST_P(Head, SelectsEdges) {
  struct Edge {
    const char* name;
    std::uint32_t n;
    std::vector<std::pair<std::uint32_t, std::uint16_t>> set;  // all else is -2
  };
  std::vector<std::pair<std::uint32_t, std::uint16_t>> ascending, spread, nans, zeros;
  for (std::uint32_t i = 0; i < 3000; ++i) ascending.emplace_back(i, static_cast<std::uint16_t>(0x3C00 + i));
  for (std::uint32_t i = 0; i < 63; ++i) spread.emplace_back(997 * i, 0x4000);
  for (std::uint32_t i = 0; i < 70; ++i) nans.emplace_back(880 * i + 3, i % 2 == 0 ? 0x7E01 : 0xFFFF);
  nans.emplace_back(5, 0x7C00);
  for (std::uint32_t i = 0; i < 200; ++i) zeros.emplace_back(300 * i, i % 2 == 0 ? 0x8000 : 0x0000);
  for (const Edge& edge :
       {Edge{"all equal", 62080, {}}, Edge{"neighbours in ascending order", 62080, ascending},
        Edge{"63 greater ones, the 64th of equals", 62080, spread},
        Edge{"NaN first, then infinity", 62080, nans}, Edge{"both zeros are equal", 62080, zeros},
        Edge{"fewer than 64", 63, {{7, 0x3C00}}}, Edge{"one", 1, {}},
        Edge{"a second chunk of one row", 62081, {{62080, 0xFC00}}}}) {
    const std::uint32_t ld = (edge.n + 7) / 8 * 8;
    std::vector<std::uint16_t> logits(ld, 0xC000);
    for (std::uint32_t i = edge.n; i < ld; ++i) logits[i] = 0x7BFF;  // never looked at
    for (const auto& [id, bits] : edge.set) logits[id] = bits;
    EXPECT_EQ(selected(logits, 1, edge.n, ld),
              reference::screened(logits.data(), 1, edge.n, ld, lm_head::chunk_rows, 64))
        << edge.name;
  }
}

TEST_P(Head, DenseLogitsOfAnyNumberOfRows) {
  for (const std::uint32_t m : {1U, 2U, 3U, 8U, 11U})
    for (const std::uint32_t k : {64U, 384U, 512U}) {
      constexpr std::uint32_t n = 39;
      const auto head = random_halves(std::size_t{n} * k, 0.1F, k);
      auto x = random_halves(std::size_t{m} * (k + 8), 1, m);
      if (m == 3) x[0] = 0x7C00, x[k + 8] = 0x7E00;
      Buffer& logits = out<float>(std::size_t{m} * n);
      run(lm_head::dense({m, n, k, in(head), in(x), k + 8, logits.address()}, target()));
      const auto expected = reference::dense_logits(head, n, k, x.data(), m, k + 8, {});
      const auto actual = content<float>(logits);
      for (std::size_t i = 0; i < actual.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(actual[i]), std::bit_cast<std::uint32_t>(expected[i])) << i;
    }
}

TEST_P(Head, RerankGivesTheBestOfTheDenseLogits) {
  constexpr std::uint32_t m = 3, n = lm_head::chunk_rows + 30, k = 64, first_id = 1000;
  auto head = random_halves(std::size_t{n} * k, 0.1F, 3);
  for (const std::uint32_t twin : {77U, 62100U})  // equal maxima inside a chunk and across chunks
    std::copy_n(head.begin() + 5 * k, k, head.begin() + twin * k);
  auto x = random_halves(std::size_t{m} * k, 1, 4);
  std::copy_n(head.begin() + 5 * k, k, x.begin());
  x[k] = 0x7E00;  // row 1: every logit is NaN
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t row = 0; row < m; ++row) {
    std::vector<std::uint32_t> chunk(64);
    std::iota(chunk.rbegin(), chunk.rend(), 20 * row);  // 5 and 77 in row 0
    std::iota(chunk.begin(), chunk.begin() + 16, 70);
    candidates.insert(candidates.end(), chunk.begin(), chunk.end());
    std::iota(chunk.begin(), chunk.end(), lm_head::chunk_rows);
    std::fill(chunk.begin() + 30, chunk.end(), lm_head::no_candidate);
    candidates.insert(candidates.end(), chunk.begin(), chunk.end());
  }
  const auto dense = reference::dense_logits(head, n, k, x.data(), m, k, {});
  for (const std::uint32_t top : {1U, 16U, 20U, 21U, 64U}) {
    Buffer& scores = out<float>(candidates.size());
    Buffer& values = out<float>(m * top);
    Buffer& ids = out<std::uint32_t>(m * top);
    lm_head::RerankArguments a{m, n, k, top, in(head), in(x), k, in(candidates)};
    a.scores = scores.address(), a.first_id = first_id, a.values = values.address(), a.ids = ids.address();
    run(lm_head::rerank(a, target()));
    std::vector<std::uint32_t> expected_ids, expected_values, actual_values;
    for (std::uint32_t row = 0; row < m; ++row) {
      std::vector<reference::Scored> scored;
      for (const std::uint32_t id : std::span(candidates).subspan(row * 128, 128))
        if (id != lm_head::no_candidate) scored.push_back({dense[row * n + id], first_id + id});
      for (const reference::Scored& s : reference::best(scored, top)) {
        expected_ids.push_back(s.id);
        expected_values.push_back(std::bit_cast<std::uint32_t>(s.value));
      }
    }
    for (const float value : content<float>(values))
      actual_values.push_back(std::bit_cast<std::uint32_t>(value));
    EXPECT_EQ(content<std::uint32_t>(ids), expected_ids) << top;
    EXPECT_EQ(actual_values, expected_values) << top;
  }
}

TEST_P(Head, RerankOfFewerCandidatesThanAskedFor) {
  const std::vector<std::uint16_t> head(2 * 64, 0x3C00), x(64, 0x3C00);
  std::vector<std::uint32_t> candidates(64, lm_head::no_candidate);
  candidates[0] = 1, candidates[1] = 0;
  Buffer& scores = out<float>(64);
  Buffer& values = out<std::uint32_t>(3);
  Buffer& ids = out<std::uint32_t>(3);
  lm_head::RerankArguments a{1, 2, 64, 3, in(head), in(x), 64, in(candidates)};
  a.scores = scores.address(), a.values = values.address(), a.ids = ids.address();
  run(lm_head::rerank(a, target()));
  EXPECT_EQ(content<std::uint32_t>(ids), (std::vector<std::uint32_t>{0, 1, 0xFFFFFFFF}));
  EXPECT_EQ(content<std::uint32_t>(values),
            (std::vector<std::uint32_t>{0x42800000, 0x42800000, 0x7FFFFFFF}));  // 64
}

TEST_P(HeadProduct, ScreenIsItsProductAndItsSelection) {
  constexpr std::uint32_t m = 8, n = 1000, k = 512, ld = 1008;
  const auto head = random_halves(std::size_t{n} * k, 0.02F, 7);
  const reference::Fp8Matrix fp8 = reference::quantize_fp8(head, n, k);
  const reference::Fp8View view{n, k, reference::Fp8Scales::channel, fp8.codes, fp8.scales};
  const auto x = random_halves(std::size_t{m} * k, 1, 8);
  Buffer& logits = out<std::uint16_t>(m * ld);
  Buffer& candidates = out<std::uint32_t>(m * 64);
  run(lm_head::screen({{m, n, k, in(reference::pack_qpn8_codes(view)), qpn8::ScaleKind::channel,
                        in(reference::pack_qpn8_scales(view)), in(x), k, logits.address(), ld},
                       candidates.address()},
                      target()));
  const reference::GemmMatrix weights(reference::decode_qpn8(view), n, k);
  const auto expected =
      weights.gemm(x.data(), m, k, qpn8::accumulation_plan(k, lm_head::screen_tuning, target()), model());
  EXPECT_EQ(content<std::uint32_t>(candidates),
            reference::screened(expected.data(), m, n, n, lm_head::chunk_rows, 64));
}

TEST_P(HeadProduct, FourShardsMergedAreTheWholeVocabulary) {
  constexpr std::uint32_t m = 2, n = 500, k = 128, shards = 4, top = 20, ld = 504;
  auto head = random_halves(std::size_t{shards} * n * k, 0.02F, 11);
  for (const std::uint32_t twin : {700U, 1900U})  // equal maxima in three shards
    std::copy_n(head.begin() + 3 * k, k, head.begin() + twin * k);
  auto x = random_halves(std::size_t{m} * k, 1, 12);
  for (std::uint32_t i = 0; i < k; ++i) x[i] = reference::to_half(50 * reference::to_float(head[3 * k + i]));
  std::vector<std::vector<lm_head::Candidate>> found(m);
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const std::vector<std::uint16_t> part(head.begin() + shard * n * k, head.begin() + (shard + 1) * n * k);
    const reference::Fp8Matrix fp8 = reference::quantize_fp8(part, n, k);
    const reference::Fp8View view{n, k, reference::Fp8Scales::channel, fp8.codes, fp8.scales};
    Buffer& candidates = out<std::uint32_t>(m * 64);
    const DevicePtr rows = in(x);
    run(lm_head::screen(
        {{m, n, k, in(reference::pack_qpn8_codes(view)), qpn8::ScaleKind::channel,
          in(reference::pack_qpn8_scales(view)), rows, k, out<std::uint16_t>(m * ld).address(), ld},
         candidates.address()},
        target()));
    Buffer& values = out<float>(m * top);
    Buffer& ids = out<std::uint32_t>(m * top);
    lm_head::RerankArguments a{m, n, k, top, in(part), rows, k, candidates.address()};
    a.scores = out<float>(m * 64).address(), a.first_id = shard * n;
    a.values = values.address(), a.ids = ids.address();
    run(lm_head::rerank(a, target()));
    const auto best_values = content<float>(values);
    const auto best_ids = content<std::uint32_t>(ids);
    for (std::uint32_t i = 0; i < m * top; ++i) found[i / top].push_back({best_values[i], best_ids[i]});
  }
  const auto dense = reference::dense_logits(head, shards * n, k, x.data(), m, k, {});
  for (std::uint32_t row = 0; row < m; ++row) {
    std::vector<reference::Scored> all;
    for (std::uint32_t id = 0; id < shards * n; ++id) all.push_back({dense[row * shards * n + id], id});
    const auto expected = reference::best(all, top);
    const auto merged = lm_head::merge(found[row], top);
    ASSERT_EQ(merged.size(), expected.size());
    for (std::uint32_t i = 0; i < top; ++i) {
      EXPECT_EQ(merged[i].id, expected[i].id) << row << " " << i;
      EXPECT_EQ(merged[i].value, expected[i].value) << row << " " << i;
    }
  }
}

TEST_P(HeadProduct, TopOneIsTheFirstMaximum) {
  constexpr std::uint32_t m = 3, n = 9001, k = 128, ld = 9008, first_id = 500;
  auto head = random_halves(std::size_t{n} * k, 0.02F, 9);
  for (std::uint32_t i = 0; i < k; ++i) head[8999 * k + i] = head[4321 * k + i] = 0x3C00;  // equal maxima
  auto x = random_halves(std::size_t{m} * k, 1, 10);
  std::fill_n(x.begin(), k, 0x3C00);
  x[k] = 0x7E00;  // row 1: every logit is NaN
  Buffer& packed = out<std::uint16_t>(std::size_t{qpn2::pad_to_tile(n)} * k);
  const DevicePtr of_head = in(head);
  run(lm_head::pack_head({n, k, of_head, packed.address()}, target()));
  EXPECT_EQ(content<std::uint16_t>(packed), reference::pack_head(head, n, k));
  Buffer& logits = out<std::uint16_t>(m * ld);
  Buffer& values = out<std::uint16_t>(m);
  Buffer& ids = out<std::uint32_t>(m);
  lm_head::Top1Arguments a{m, n, k, packed.address(), in(x), k, logits.address(), ld};
  a.first_id = first_id, a.values = values.address(), a.ids = ids.address();
  run(lm_head::top1(a, target()));
  const reference::GemmMatrix weights(head, n, k);
  const auto all =
      weights.gemm(x.data(), m, k, qpn8::accumulation_plan(k, lm_head::top1_tuning, target()), model());
  const auto first = reference::screened(all.data(), m, n, n, n, 1);
  EXPECT_EQ(first[0], 4321U);
  EXPECT_EQ(first[1], 0U);
  std::vector<std::uint32_t> expected_ids;
  std::vector<std::uint16_t> expected_values;
  for (std::uint32_t row = 0; row < m; ++row) {
    expected_ids.push_back(first_id + first[row]);
    expected_values.push_back(all[row * n + first[row]]);
  }
  EXPECT_EQ(content<std::uint32_t>(ids), expected_ids);
  EXPECT_EQ(content<std::uint16_t>(values), expected_values);
}

}  // namespace
}  // namespace quadpair::device
