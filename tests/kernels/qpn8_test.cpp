// What the QPN8 operators admit, refuse and launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/common/error.hpp"
#include "kernels/qpn2/gemm.hpp"
#include "kernels/qpn8/gemm.hpp"
#include "kernels/qpn8/pack.hpp"
#include "kernels/qpn8/projection.hpp"
#include "kernels/qpn8/quantize.hpp"

namespace quadpair::qpn8 {
namespace {

using testing::HasSubstr;

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Refused& refused) {
    return refused.what();
  } catch (const RangeError& error) {
    return error.what();
  }
  return "accepted";
}

GemmArguments good_product() {
  return {1, 40, 1024, 0x1000, ScaleKind::channel, 0x1000, 0x1000, 1024, 0x1000, 40};
}

TEST(Qpn8Gemm, RowsAreChunkedAtSixteen) {
  GemmArguments a = good_product();
  a.m = 41, a.ldx = 1032, a.ldy = 48;
  const std::vector<Launch> launches = gemm(a, {16, 2}, Target::sm70);
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_EQ(launches[0].entry, "qpn8_gemm_channel_s16_c2_r2");
  EXPECT_EQ(launches[2].entry, "qpn8_gemm_channel_s16_c2_r2");  // nine rows
  EXPECT_EQ(launches[0].grid, (Dim3{2, 1, 1}));
  const auto argument = [&](std::size_t launch, std::size_t index) {
    std::uint64_t value = 0;
    const Arguments& arguments = launches[launch].arguments;
    std::memcpy(&value, arguments.bytes().data() + arguments.slots()[index].offset,
                arguments.slots()[index].size);
    return value;
  };
  EXPECT_EQ(argument(2, 2), 0x1000U + 32 * 1032 * 2);  // x
  EXPECT_EQ(argument(2, 3), 0x1000U + 32 * 48 * 2);    // y
  EXPECT_EQ(argument(0, 4), 16U);                      // rows
  EXPECT_EQ(argument(2, 4), 9U);
  a.m = 0;
  EXPECT_TRUE(gemm(a, {16, 2}, Target::sm70).empty());
  a.m = 16;
  EXPECT_EQ(gemm(a, {32, 1}, Target::sm90).at(0).grid, (Dim3{2, 2, 1}));  // R = 1
}

TEST(Qpn8Gemm, RefusesByName) {
  using Change = std::function<void(GemmArguments&)>;
  const std::pair<const char*, Change> table[] = {
      {"K=576 with S=8", [](GemmArguments& a) { a.k = 576; }},
      {"not a positive multiple of 64", [](GemmArguments& a) { a.k = 1000; }},
      {"no output features", [](GemmArguments& a) { a.n = 0; }},
      {"codes are null", [](GemmArguments& a) { a.codes = 8; }},
      {"scales are null", [](GemmArguments& a) { a.scales = 0; }},
      {"x is null", [](GemmArguments& a) { a.x = 2; }},
      {"y is null", [](GemmArguments& a) { a.y = 1; }},
      {"ldx=1016 is less", [](GemmArguments& a) { a.ldx = 1016; }},
      {"ldx=1028 is not a multiple of 8", [](GemmArguments& a) { a.ldx = 1028; }},
      {"ldy=39 is less", [](GemmArguments& a) { a.ldy = 39; }}};
  for (const auto& [message, change] : table) {
    GemmArguments a = good_product();
    change(a);
    EXPECT_THAT(refusal([&] { gemm(a, {8, 2}, Target::sm70); }), HasSubstr(message));
  }
  EXPECT_THAT(refusal([&] { gemm(good_product(), {12, 1}, Target::sm90); }), HasSubstr("S=12"));
  EXPECT_THAT(refusal([&] { gemm(good_product(), {8, 3}, Target::sm90); }), HasSubstr("C=3"));
  GemmArguments block = good_product();
  block.kind = ScaleKind::block, block.k = 1088;
  EXPECT_THAT(refusal([&] { gemm(block, {8, 2}, Target::sm90); }), HasSubstr("128 of a scale's block"));
}

TEST(Qpn8Gemm, TunedAndPlan) {
  EXPECT_EQ(tuned(5120, Target::sm70), (Tuning{16, 2}));
  EXPECT_EQ(tuned(128, Target::sm70), (Tuning{8, 2}));
  EXPECT_THAT(refusal([] { tuned(64, Target::sm70); }), HasSubstr("K=64 with S=8"));
  for (const Target target : {Target::sm70, Target::sm80, Target::sm90})
    EXPECT_EQ(accumulation_plan(5120, {8, 1}, target), qpn2::accumulation_plan(5120, {8, 1}, target));
  EXPECT_THAT(refusal([] { accumulation_plan(5120, {12, 1}, Target::sm90); }), HasSubstr("S=12"));
}

TEST(Qpn8Projection, KeepsTheLedgersBuffersAlone) {
  EXPECT_EQ(storage(ScaleKind::channel, 4128, 5120),
            (std::vector<StorageItem>{{"qpn8_codes", std::size_t{4128} * 5120}, {"qpn8_scales", 4128 * 2}}));
  EXPECT_EQ(storage(ScaleKind::block, 256, 384).at(1), (StorageItem{"qpn8_scales", 3 * 8 * 2}));
  class Memory final : public DeviceMemory {
   public:
    explicit Memory(DevicePtr address) : address_(address) {}
    DevicePtr address() const override { return address_; }
    void upload(std::span<const std::byte>) override {}

   private:
    DevicePtr address_;
  };
  std::vector<std::string> names;
  const Allocate allocate = [&](std::string_view name, std::size_t) {
    names.emplace_back(name);
    return std::make_unique<Memory>(0x1000 * names.size());
  };
  std::vector<std::string> entries;
  const Execute execute = [&](std::span<const Launch> launches) {
    for (const Launch& launch : launches) entries.push_back(launch.entry);
  };
  const Projection projection({200, 256, ScaleKind::channel, 0x8000, 0x9000}, Target::sm80, allocate,
                              execute);
  EXPECT_THAT(names, testing::ElementsAre("qpn8_codes", "qpn8_scales"));
  EXPECT_THAT(entries, testing::ElementsAre("qpn8_pack_codes", "qpn8_pack_channel_scales"));
  EXPECT_EQ(projection.codes(), 0x1000U);
  EXPECT_EQ(projection.scales(), 0x2000U);
}

TEST(Qpn8Pack, RefusesByName) {
  const PackArguments good{256, 256, ScaleKind::block, 0x1000, 0x1000, 0x1000, 0x1000};
  EXPECT_EQ(pack(good, Target::sm80).size(), 2U);
  PackArguments a = good;
  a.n = 250;
  EXPECT_THAT(refusal([&] { pack(a, Target::sm80); }), HasSubstr("N=250, K=256: block scales"));
  a = good, a.k = 100;
  EXPECT_THAT(refusal([&] { pack(a, Target::sm80); }), HasSubstr("K=100"));
  a = good, a.packed_scales = 1;
  EXPECT_THAT(refusal([&] { pack(a, Target::sm80); }), HasSubstr("packed scales"));
  EXPECT_THAT(refusal([&] { quantize({0, 64, 0x1000, 0x1000, 0x1000}, Target::sm80); }), HasSubstr("N=0"));
  EXPECT_THAT(refusal([&] { quantize({1, 65, 0x1000, 0x1000, 0x1000}, Target::sm80); }), HasSubstr("K=65"));
  EXPECT_THAT(refusal([&] { quantize({1, 64, 0x1008, 0x1000, 0x1000}, Target::sm80); }), HasSubstr("w is"));
}

/// A matrix of codes 1 whose scales are all 1.
struct Fp8 {
  std::uint32_t n = 128, k = 128;
  ScaleKind kind = ScaleKind::channel;
  std::vector<std::uint8_t> codes = std::vector<std::uint8_t>(std::size_t{128} * 128, 0x38);
  std::vector<float> scales = std::vector<float>(128, 1);
  std::uint32_t rows = 128, columns = 1;

  std::string refusal() const {
    return qpn8::refusal([&] { prepare("head", n, k, kind, codes, scales, rows, columns); });
  }
};

TEST(Qpn8Prepare, ScalesThatKernelsCannotRepresent) {
  EXPECT_EQ(Fp8{}.refusal(), "accepted");
  const float inf = std::numeric_limits<float>::infinity();
  const std::pair<float, const char*> table[] = {{std::numeric_limits<float>::quiet_NaN(), "is NaN"},
                                                 {inf, "scale inf is infinite"},
                                                 {-1, "scale -1 is negative"},
                                                 {0, "scale 0 is zero"},
                                                 {256, "scale 256 times 256 overflows FP16"},
                                                 {147, "scale 147 takes code 0x7E beyond FP16"},
                                                 {0x1p-33F, "times 256 is 0 in FP16"}};
  for (const auto& [scale, message] : table) {
    Fp8 matrix;
    matrix.scales[77] = scale;
    matrix.codes[77 * 128 + 3] = 0x7E;
    EXPECT_THAT(matrix.refusal(), testing::AllOf(HasSubstr("tensor head, row 77: "), HasSubstr(message)));
    std::fill_n(matrix.codes.begin() + 77 * 128, 128, 0x80);  // over zeros only what vanishes is legal
    EXPECT_EQ(matrix.refusal() == "accepted", scale == 0 || scale == 0x1p-33F || scale == 147) << scale;
  }
  Fp8 matrix;
  matrix.codes[5 * 128 + 6] = 0xFF;
  EXPECT_THAT(matrix.refusal(), HasSubstr("row 5, k 6: code 0xFF is NaN"));
}

TEST(Qpn8Prepare, ShapesAreNeverInferred) {
  Fp8 square;  // [128, 1] scales of a square matrix, not [1, 128], nor a matrix of blocks
  square.rows = 1, square.columns = 128;
  EXPECT_THAT(square.refusal(),
              HasSubstr("scales [1, 128], but weights [128, 128] with a scale per channel"));
  Fp8 block;
  block.kind = ScaleKind::block;
  EXPECT_THAT(block.refusal(), HasSubstr("scales [128, 1], but weights [128, 128] with a scale per block"));
  block.scales = {1}, block.rows = block.columns = 1;
  EXPECT_EQ(block.refusal(), "accepted");
  block.scales = {-1};
  EXPECT_THAT(block.refusal(), HasSubstr("block 0, 0: scale -1 is negative"));
  block.n = 64, block.codes.resize(std::size_t{64} * 128);
  EXPECT_THAT(block.refusal(), HasSubstr("weights [64, 128] do not divide into blocks of 128 x 128"));
  Fp8 few;
  few.scales.pop_back();
  EXPECT_THAT(few.refusal(), HasSubstr("127 scales, not [128, 1]"));
  few = {}, few.codes.pop_back();
  EXPECT_THAT(few.refusal(), HasSubstr("codes, not [128, 128]"));
}

}  // namespace
}  // namespace quadpair::qpn8
