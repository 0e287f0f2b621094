// Launch values: arguments as the PTX declares its parameters, grids that cover the output.
#include "kernels/common/launch.hpp"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include "kernels/common/error.hpp"
#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/convert/turbomind.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/probe/mma.hpp"
#include "kernels/qpn2/gated.hpp"
#include "kernels/wide/silu_and_mul.hpp"

namespace quadpair {
namespace {

constexpr Target all_targets[] = {Target::sm70, Target::sm80, Target::sm90};

TEST(Arguments, NaturalAlignment) {
  Arguments arguments;
  arguments.add(std::uint16_t{0x0102})
      .add(std::uint64_t{7})
      .add(std::uint8_t{9})
      .add(std::uint32_t{0xA0B0C0D0});
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {{0, 2}, {8, 8}, {16, 1}, {20, 4}};
  ASSERT_EQ(arguments.slots().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(arguments.slots()[i].offset, expected[i].first);
    EXPECT_EQ(arguments.slots()[i].size, expected[i].second);
  }
  ASSERT_EQ(arguments.bytes().size(), 24u);
  EXPECT_EQ(arguments.bytes()[0], std::byte{0x02});
  EXPECT_EQ(arguments.bytes()[8], std::byte{7});
  EXPECT_EQ(arguments.bytes()[23], std::byte{0xA0});
}

/// Sizes of the parameters that the PTX declares for an entry.
std::vector<std::uint32_t> declared_sizes(const Launch& launch) {
  const std::string ptx(launch.module->ptx);
  const std::size_t begin = ptx.find(".entry " + launch.entry + "(");
  if (begin == std::string::npos) throw std::runtime_error("no entry " + launch.entry);
  const std::string header = ptx.substr(begin, ptx.find(')', begin) - begin);
  std::vector<std::uint32_t> sizes;
  std::uint32_t bits = 0;
  std::string bytes;  // of a structure, which is declared as an array of .b8
  for (re2::StringPiece rest(header); RE2::FindAndConsume(
           &rest, R"(\.param (?:\.align \d+ )?\.[a-z](\d+) \w+(?:\[(\d+)\])?)", &bits, &bytes);)
    sizes.push_back(bytes.empty() ? bits / 8 : static_cast<std::uint32_t>(std::stoul(bytes)));
  return sizes;
}

void expect_declared_arguments(const Launch& launch) {
  std::vector<std::uint32_t> sizes;
  for (const Arguments::Slot& slot : launch.arguments.slots()) sizes.push_back(slot.size);
  EXPECT_EQ(sizes, declared_sizes(launch)) << launch.entry;
}

qpn2::GemmArguments arguments_for(std::uint32_t m, std::uint32_t n) {
  qpn2::GemmArguments a;
  a.m = m, a.n = n, a.k = 1024, a.ldx = 1024, a.ldy = n;
  a.codes = a.scales = a.x = a.y = 0x1000;
  a.global.value = 0x3C00;
  return a;
}

TEST(Launch, ArgumentsMatchThePtx) {
  for (Target target : all_targets) {
    expect_declared_arguments(qpn2::gemm(arguments_for(1, 40), {8, 2}, target).at(0));
    expect_declared_arguments(qpn2::gated(arguments_for(1, 40), {8, 2}, target).at(0));
    expect_declared_arguments(convert::pack_qpn2({40, 64, 1, 0x1000, 0x1000, 0x1000, 0x1000}, target).at(0));
    const GlobalParts parts = global_parts(std::vector{1.0f}, 2);
    expect_declared_arguments(
        convert::pack_turbomind({40, 64, 1, 0x1000, 0x1000, parts, 0x1000, 0x1000}, target).at(0));
    expect_declared_arguments(convert::restore_tm_scales({64, 64, 0x1000, parts, 0x1000}, target).at(0));
    for (const auto kind : {wide::Scales::persistent, wide::Scales::compact})
      expect_declared_arguments(
          wide::tm_gemm({1, 64, 64, 0x1000, kind, 0x1000, parts, 0x1000, 64, 0x1000, 64},
                        target == Target::sm70 ? wide::Tuning{64, 128, 1} : wide::Tuning{96, 128, 2}, target)
              .at(0));
    expect_declared_arguments(wide::silu_and_mul({1, 32, 32, 0x1000, 64, 0x1000, 32}, target).at(0));
    dense::PrefillArguments prefill;
    prefill.gemm = arguments_for(1, 40);
    prefill.workspace = 0x1000, prefill.workspace_limit = 1 << 20;
    for (const Launch& launch : dense::dense_prefill(prefill, target)) expect_declared_arguments(launch);
    for (MmaShape shape : all_mma_shapes)
      if (shape == MmaShape::m8n8k4 || target != Target::sm70)
        expect_declared_arguments(probe::mma({shape, 9, 0x1000, 0x1000, 0x1000}, target).at(0));
  }
}

TEST(Launch, RowsAreCoveredByTheFewestBlocks) {
  struct Expected {
    Target target;
    std::uint32_t m;
    qpn2::Tuning tuning;
    const char* entry;
    Dim3 grid, block;
    std::uint32_t dynamic_shared = 0;  // f32 [S][8 R][8 Q + 4]
  };
  // n = 72: three tiles.
  const Expected table[] = {
      {Target::sm70, 1, {8, 1}, "qpn2_gemm_s8_c1_r1", {3, 1, 1}, {256, 1, 1}},
      {Target::sm70, 8, {16, 2}, "qpn2_gemm_s16_c2_r1", {3, 1, 1}, {512, 1, 1}},
      {Target::sm70, 9, {16, 2}, "qpn2_gemm_s16_c2_r2", {3, 1, 1}, {512, 1, 1}},
      {Target::sm70, 17, {8, 2}, "qpn2_gemm_s8_c2_r4", {3, 1, 1}, {256, 1, 1}},
      {Target::sm70, 33, {16, 2}, "qpn2_gemm_s16_c2_r4", {3, 2, 1}, {512, 1, 1}},
      // Twelve quarters of a tile, Q a block.
      {Target::sm90, 33, {16, 2}, "qpn2_gemm_s16_c2_r4_q2", {6, 2, 1}, {512, 1, 1}, 16 * 32 * 20 * 4},
      {Target::sm90, 16, {8, 1}, "qpn2_gemm_s8_c1_r2_q5", {3, 1, 1}, {256, 1, 1}, 8 * 16 * 44 * 4},
      {Target::sm80, 17, {8, 1}, "qpn2_gemm_s8_c1_r4_q9", {2, 1, 1}, {256, 1, 1}, 8 * 32 * 76 * 4},
      {Target::sm80, 64, {32, 1}, "qpn2_gemm_s32_c1_r1_q2", {6, 8, 1}, {1024, 1, 1}, 32 * 8 * 20 * 4},
  };
  for (const Expected& e : table) {
    const std::vector<Launch> launches = qpn2::gemm(arguments_for(e.m, 72), e.tuning, e.target);
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(launches[0].entry, e.entry);
    EXPECT_EQ(launches[0].grid, e.grid) << e.entry;
    EXPECT_EQ(launches[0].block, e.block) << e.entry;
    EXPECT_EQ(launches[0].dynamic_shared, e.dynamic_shared) << e.entry;
    EXPECT_EQ(launches[0].module->target, e.target);
  }
}

TEST(Launch, GatedHalvesArePaddedByThemselves) {
  const Launch launch = qpn2::gated(arguments_for(12, 160), {16, 1}, Target::sm70).at(0);
  EXPECT_EQ(launch.entry, "qpn2_gated_s16_c1_r1");
  EXPECT_EQ(launch.grid, (Dim3{3, 2, 1}));  // 80 columns: three tiles
  EXPECT_EQ(launch.block, (Dim3{1024, 1, 1}));
  const Launch native = qpn2::gated(arguments_for(12, 160), {8, 1}, Target::sm80).at(0);
  EXPECT_EQ(native.entry, "qpn2_gated_s8_c1_r2_q5");
  EXPECT_EQ(native.grid, (Dim3{3, 1, 1}));  // twelve quarters of each half
  EXPECT_EQ(native.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(native.dynamic_shared, 8u * 16 * (2 * 40 + 4) * 4);
}

TEST(Launch, SharedCodesHaveEntriesOfTheirOwn) {
  for (Target target : all_targets)
    for (std::uint32_t m : {1u, 16u, 64u}) {
      qpn2::GemmArguments dual = arguments_for(m, 160), shared = dual;
      shared.layout = qpn2::CodeLayout::turbomind;
      for (auto* launches : {&qpn2::gemm, &qpn2::gated}) {
        Launch expected = launches(dual, {8, 1}, target).at(0);
        expected.entry.insert(expected.entry.find("_s"), "_shared");
        const Launch actual = launches(shared, {8, 1}, target).at(0);
        EXPECT_EQ(actual.entry, expected.entry);
        EXPECT_EQ(actual.grid, expected.grid);
        EXPECT_EQ(actual.block, expected.block);
        EXPECT_EQ(actual.dynamic_shared, expected.dynamic_shared);
      }
    }
}

TEST(Launch, EarlyStartIsForSm90Only) {
  for (Target target : all_targets)
    for (bool wanted : {false, true}) {
      qpn2::GemmArguments arguments = arguments_for(1, 64);
      arguments.early_start = wanted;
      const bool expected = wanted && target == Target::sm90;
      EXPECT_EQ(qpn2::gemm(arguments, {8, 2}, target).at(0).early_start, expected);
      EXPECT_EQ(qpn2::gated(arguments, {8, 2}, target).at(0).early_start, expected);
    }
}

TEST(Launch, EveryAdmittedTuningHasAKernel) {
  for (Target target : all_targets)
    for (std::uint32_t s : {8u, 12u, 16u, 32u})
      for (std::uint32_t c : {1u, 2u})
        for (std::uint32_t m : {1u, 64u}) {
          if (s == 12 && target == Target::sm70) continue;
          EXPECT_EQ(qpn2::gemm(arguments_for(m, 64), {s, c}, target).size(), 1u);
          if (s == 32 || s == 12) continue;
          EXPECT_EQ(qpn2::gated(arguments_for(m, 64), {s, c}, target).size(), 1u);
        }
}

TEST(Launch, ProbeCoversItsRowsByTheFewestBlocks) {
  const auto blocks = [](MmaShape shape, std::uint32_t rows) {
    return probe::mma({shape, rows, 0x1000, 0x1000, 0x1000}, Target::sm90).at(0).grid.x;
  };
  EXPECT_EQ(blocks(MmaShape::m8n8k4, 128), 1u);
  EXPECT_EQ(blocks(MmaShape::m8n8k4, 129), 2u);
  EXPECT_EQ(blocks(MmaShape::m16n8k8, 32), 1u);
  EXPECT_EQ(blocks(MmaShape::m16n8k16, 33), 2u);
}

TEST(Launch, ProbeRefusesByName) {
  auto refusal = [](probe::MmaArguments a, Target target) -> std::string {
    try {
      probe::mma(a, target);
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "accepted";
  };
  const probe::MmaArguments good{MmaShape::m16n8k8, 1, 0x1000, 0x1000, 0x1000};
  EXPECT_EQ(refusal(good, Target::sm80), "accepted");
  EXPECT_EQ(refusal(good, Target::sm70), "probe_m16n8k8: sm70 has m8n8k4 only");
  auto a = good;
  a.rows = 0;
  EXPECT_NE(refusal(a, Target::sm80).find("no rows"), std::string::npos);
  a = good, a.operands = 0x1002;
  EXPECT_NE(refusal(a, Target::sm80).find("operands"), std::string::npos);
  a = good, a.c = 0;
  EXPECT_NE(refusal(a, Target::sm80).find("c is null"), std::string::npos);
  a = good, a.d = 0x1001;
  EXPECT_NE(refusal(a, Target::sm80).find("d is null"), std::string::npos);
}

TEST(Launch, PackRefusesByName) {
  const convert::PackArguments good{40, 64, 1, 0x1000, 0x1000, 0x1000, 0x1000};
  auto refusal = [](convert::PackArguments a) -> std::string {
    try {
      convert::pack_qpn2(a, Target::sm70);
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(good), "accepted");
  auto a = good;
  a.k = 96;
  EXPECT_NE(refusal(a).find("K=96"), std::string::npos);
  a = good, a.n = 41, a.halves = 2;
  EXPECT_NE(refusal(a).find("N=41"), std::string::npos);
  a = good, a.n = 0;
  EXPECT_NE(refusal(a).find("N=0"), std::string::npos);
  a = good, a.halves = 3;
  EXPECT_NE(refusal(a).find("halves=3"), std::string::npos);
  a = good, a.codes = 0x1008;
  EXPECT_NE(refusal(a).find("codes"), std::string::npos);
  a = good, a.packed_codes = 0x1004;
  EXPECT_NE(refusal(a).find("packed codes"), std::string::npos);
  a = good, a.packed_codes = 0;
  EXPECT_EQ(refusal(a), "accepted");
  a = good, a.packed_scales = 0;
  EXPECT_NE(refusal(a).find("packed scales"), std::string::npos);
}

}  // namespace
}  // namespace quadpair
