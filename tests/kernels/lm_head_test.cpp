// What the operators of the LM head refuse and launch; shards merged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/common/error.hpp"
#include "kernels/lm_head/dense.hpp"
#include "kernels/lm_head/head.hpp"
#include "kernels/lm_head/pack_head.hpp"
#include "kernels/lm_head/rerank.hpp"
#include "kernels/lm_head/screen.hpp"
#include "kernels/lm_head/top1.hpp"

namespace quadpair::lm_head {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

constexpr DevicePtr there = 0x1000;

TEST(Screen, LaunchesAndRefusals) {
  const ScreenArguments good{
      {8, 124161, 512, there, qpn8::ScaleKind::channel, there, there, 512, there, 124168}, there};
  const auto launches = screen(good, Target::sm90);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].entry, "qpn8_gemm_channel_s8_c1_r1");
  EXPECT_EQ(launches[1].grid, (Dim3{3, 8, 1}));  // two full chunks and one of a row
  ScreenArguments a = good;
  a.gemm.m = 0;
  EXPECT_TRUE(screen(a, Target::sm90).empty());
  a = good, a.gemm.m = 9;
  EXPECT_THAT(refusal([&] { screen(a, Target::sm90); }), HasSubstr("M=9"));
  a = good, a.gemm.kind = qpn8::ScaleKind::block;
  EXPECT_THAT(refusal([&] { screen(a, Target::sm90); }), HasSubstr("block scales"));
  a = good, a.gemm.ldy = 124161;
  EXPECT_THAT(refusal([&] { screen(a, Target::sm90); }), HasSubstr("leading dimension 124161"));
  a = good, a.candidates = 0;
  EXPECT_THAT(refusal([&] { screen(a, Target::sm90); }), HasSubstr("candidates"));
}

TEST(Rerank, LaunchesAndRefusals) {
  RerankArguments good{1, 62080 * 3, 512, 21, there, there, 512, there};
  good.scores = good.values = good.ids = there;
  const auto launches = rerank(good, Target::sm70);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].grid, (Dim3{96, 1, 1}));
  EXPECT_EQ(launches[1].dynamic_shared, 256U * 8);
  using Change = std::function<void(RerankArguments&)>;
  const std::pair<const char*, Change> table[] = {
      {"top=0", [](RerankArguments& a) { a.top = 0; }},
      {"top=65", [](RerankArguments& a) { a.top = 65; }},
      {"M=9", [](RerankArguments& a) { a.m = 9; }},
      {"more than 32 chunks", [](RerankArguments& a) { a.n = 62080 * 32 + 1; }},
      {"ids pass 32 bits", [](RerankArguments& a) { a.first_id = 0xFFFFFFFF - 62080 * 3 + 1; }},
      {"head's weights are null", [](RerankArguments& a) { a.head = 8; }},
      {"ldx=511", [](RerankArguments& a) { a.ldx = 511; }},
      {"scores", [](RerankArguments& a) { a.scores = 0; }}};
  for (const auto& [message, change] : table) {
    RerankArguments a = good;
    change(a);
    EXPECT_THAT(refusal([&] { rerank(a, Target::sm70); }), HasSubstr(message));
  }
}

TEST(Dense, LaunchesAndRefusals) {
  const DenseArguments good{11, 62080, 5120, there, there, 5120, there};
  const Launch launch = dense(good, Target::sm80).at(0);
  EXPECT_EQ(launch.entry, "lm_head_dense_r8");
  EXPECT_EQ(launch.grid, (Dim3{1940, 2, 1}));
  DenseArguments a = good;
  a.m = 0;
  EXPECT_TRUE(dense(a, Target::sm80).empty());
  a.m = 3;
  EXPECT_EQ(dense(a, Target::sm80).at(0).entry, "lm_head_dense_r4");
  a = good, a.k = 100;
  EXPECT_THAT(refusal([&] { dense(a, Target::sm80); }), HasSubstr("K=100"));
  a = good, a.n = 0;
  EXPECT_THAT(refusal([&] { dense(a, Target::sm80); }), HasSubstr("N=0"));
  a = good, a.logits = 2;
  EXPECT_THAT(refusal([&] { dense(a, Target::sm80); }), HasSubstr("logits"));
}

TEST(Top1, LaunchesAndRefusals) {
  Top1Arguments good{8, 1000, 512, there, there, 512, there, 1000};
  good.values = good.ids = there;
  EXPECT_EQ(top1(good, Target::sm70).size(), 2U);
  Top1Arguments a = good;
  a.k = 576;
  EXPECT_THAT(refusal([&] { top1(a, Target::sm70); }), HasSubstr("K=576 with S=8"));
  a = good, a.ld = 1001;
  EXPECT_THAT(refusal([&] { top1(a, Target::sm70); }), HasSubstr("leading dimension 1001"));
  a = good, a.packed = 0;
  EXPECT_THAT(refusal([&] { top1(a, Target::sm70); }), HasSubstr("packed weights"));
  EXPECT_THAT(refusal([&] { pack_head({10, 63, there, there}, Target::sm70); }), HasSubstr("K=63"));
  EXPECT_EQ(packed_head_bytes(62080, 5120), 635699200U);
}

TEST(Storage, IsTheLedgersToTheByte) {
  // 62,080 x 5,120: an FP16 shard is 606.25 MiB; four ranks' QPN8 copies are 1.184545 GiB.
  const std::vector<StorageItem> items = storage(62080, 5120, false);
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[0], (StorageItem{"qpn8_codes", 317849600}));
  EXPECT_EQ(items[1], (StorageItem{"qpn8_scales", 124160}));
  EXPECT_EQ(items[2], (StorageItem{"lm_head_fp16", 635699200}));
  EXPECT_EQ(items[2].bytes * 16, std::size_t{9700} << 20);  // 606.25 MiB in sixteenths
  EXPECT_NEAR(4.0 * static_cast<double>(items[0].bytes + items[1].bytes) / (1 << 30), 1.184545, 5e-7);
  EXPECT_NEAR(4.0 * 2 * static_cast<double>(items[2].bytes) / (1 << 30), 4.736328, 5e-7);
  const std::vector<StorageItem> with_top1 = storage(62080, 5120, true);
  ASSERT_EQ(with_top1.size(), 4U);
  EXPECT_EQ(with_top1[3], (StorageItem{"lm_head_packed", 635699200}));
  EXPECT_EQ(storage(33, 64, false)[0].bytes, 64U * 64);  // rows are padded, the FP16 head's are not
  EXPECT_EQ(storage(33, 64, false)[2].bytes, 33U * 64 * 2);
}

TEST(Prepare, RefusesByName) {
  std::vector<std::uint16_t> weights(4 * 64, 0x3C00);
  const HeadWeights good{"head", 4, 64, 100, 104, weights};
  EXPECT_NO_THROW(prepare(good));
  HeadWeights head = good;
  head.vocabulary = 103;
  EXPECT_THAT(refusal([&] { prepare(head); }), HasSubstr("rows 100 to 103 reach past the vocabulary of 103"));
  head = good, head.n = 3;
  EXPECT_THAT(refusal([&] { prepare(head); }), HasSubstr("256 weights, not 3 x 64"));
  head = good, head.k = 32, head.n = 8;
  EXPECT_THAT(refusal([&] { prepare(head); }), HasSubstr("K=32"));
  weights[2 * 64 + 9] = 0xFC00;
  EXPECT_THROW(prepare(good), RangeError);
}

TEST(Merge, IsTheWholeVocabularysChoice) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Candidate> shards = {{3, 70},     {1, 75},   {0, no_candidate},  //
                                         {3, 20},     {2, 25},                       //
                                         {-0.0F, 91}, {0.0F, 92}};
  EXPECT_THAT(merge(shards, 4),
              ElementsAre(Candidate{3, 20}, Candidate{3, 70}, Candidate{2, 25}, Candidate{1, 75}));
  EXPECT_EQ(merge(shards, 100).size(), 6U);
  EXPECT_EQ(merge({{5, 1}, {nan, 9}, {nan, 4}}, 2).at(0).id, 4U);
  EXPECT_EQ(merge({{0.0F, 8}, {-0.0F, 2}}, 1).at(0).id, 2U);
}

}  // namespace
}  // namespace quadpair::lm_head
