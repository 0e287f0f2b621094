#include "cases/suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cases/error.hpp"
#include "cases/slices.hpp"

namespace quadpair::cases {
namespace {

const Case& find_case(const Suite& suite, const std::string& id) {
  const auto found =
      std::find_if(suite.cases.begin(), suite.cases.end(), [&](const Case& c) { return c.id == id; });
  if (found == suite.cases.end()) throw std::out_of_range("no case " + id);
  return *found;
}

using TargetModel = std::pair<std::string, std::string>;
const std::set<TargetModel> all_models = {
    {"sm70", "volta"}, {"sm70", "turing"}, {"sm70", "fma-lowered"}, {"sm80", "ampere"}, {"sm90", "hopper"}};

/// The target and model pairs of an operator, slice and M.
std::map<std::tuple<std::string, std::string, std::uint32_t>, std::set<TargetModel>> coverage(
    const Suite& suite) {
  std::map<std::tuple<std::string, std::string, std::uint32_t>, std::set<TargetModel>> seen;
  for (const Case& c : suite.cases) seen[{c.operation, c.slice, c.m}].insert({c.target, c.model});
  return seen;
}

TEST(Suites, DefaultCoversEveryRealSliceAtEveryM) {
  const Suite suite = load_suite("default");
  auto seen = coverage(suite);
  for (std::uint32_t m : {1, 8, 9, 15, 16, 17, 18, 24, 31, 32, 33})
    for (std::string_view name : real_slice_names()) {
      const std::string operation = name == "smollm2.15.gate_up" ? "qpn2_gated" : "qpn2_gemm";
      EXPECT_EQ((seen[{operation, std::string(name), m}]), all_models) << name << " " << m;
    }
  // 11 (operator, slice) x 11 M x 5 models, and the other plans: 25 of 5 models each, but 2 of the native
  // ones (3 + 2 with S=8, C=1; 2 x 3 of K 768; 3 x 5 of K 1536 and 3072; 1 + 2 gated).
  EXPECT_EQ(suite.cases.size(), 11u * 11 * 5 + (3 + 2 + 6 + 15 + 1) * 5 + 2 * 2);
}

TEST(Suites, DefaultUsesRealActivationsWhereThereAreSomeAndEveryOtherFillElsewhere) {
  std::map<std::string, std::set<std::string>> fills;
  for (const Case& c : load_suite("default").cases) fills[c.slice].insert(c.fill);
  for (const auto& [slice, used] : fills)
    if (slice.starts_with("minilm"))
      EXPECT_EQ(used, std::set<std::string>{"real"});
    else
      EXPECT_EQ(used, (std::set<std::string>{"heavy", "cancel", "subnormal", "normal"})) << slice;
}

TEST(Suites, DefaultRunsEveryPlanThatARealSliceAdmits) {
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> run;
  for (const Case& c : load_suite("default").cases)
    if (c.target == "sm70") run.insert({c.operation + c.slice, c.split_k, c.chains});
  for (std::string_view name : real_slice_names()) {
    const bool gated = name == "smollm2.15.gate_up";
    const std::string key = (gated ? "qpn2_gated" : "qpn2_gemm") + std::string(name);
    for (std::uint32_t split_k : {8, 16, 32})
      for (std::uint32_t chains : {1, 2})
        EXPECT_EQ((run.contains({key, split_k, chains})),
                  slice_shape(name)->k / 16 % split_k == 0 && !(gated && split_k == 32))
            << key << " " << split_k << " " << chains;
  }
}

TEST(Suites, ProductionCoversSixProjectionsAtFourM) {
  const Suite suite = load_suite("production");
  auto seen = coverage(suite);
  for (std::uint32_t m : {1, 8, 16, 32}) {
    for (const char* name : {"gdn_in", "gdn_out", "attn_qkv", "attn_o", "mlp_gate_up", "mlp_down"})
      EXPECT_EQ((seen[{"qpn2_gemm", name, m}]), all_models);
    EXPECT_EQ((seen[{"qpn2_gated", "mlp_gate_up", m}]), all_models);
  }
  EXPECT_EQ(suite.cases.size(), 7u * 4 * 5);
}

TEST(Suites, GoldenCases) {
  const Suite suite = load_suite("default");
  EXPECT_EQ(suite.name, "default");
  EXPECT_EQ(suite.cases.front().id, "qpn2_gemm/minilm.0.qkv/m1/dual/s8.c2/sm70/volta/real");
  const Case& c = find_case(suite, "qpn2_gemm/whisper.2.down/m7/dual/s32.c1/sm80/ampere/heavy");
  EXPECT_EQ(c.operation, "qpn2_gemm");
  EXPECT_EQ(c.slice, "whisper.2.down");
  EXPECT_EQ(c.m, 7u);
  EXPECT_EQ(c.split_k, 32u);
  EXPECT_EQ(c.chains, 1u);
  EXPECT_TRUE(c.judges_order);
  EXPECT_TRUE(c.promises_all_codes);
  EXPECT_FALSE(c.refused);

  const Suite production = load_suite("production");
  EXPECT_NO_THROW(find_case(production, "qpn2_gemm/gdn_in/m32/dual/s16.c2/sm70/fma-lowered/heavy"));
  EXPECT_NO_THROW(find_case(production, "qpn2_gated/mlp_gate_up/m8/dual/s8.c1/sm90/hopper/normal"));

  const Suite edges = load_suite("edges");
  const Case& k576 = find_case(edges, "qpn2_gemm/edge.k576/m8/dual/s8.c2/sm70/volta/normal");
  EXPECT_THAT(k576.refused.value_or(""), ::testing::HasSubstr("576"));
  const Case& longer = find_case(edges, "qpn2_gated/edge.gated_160/m34/dual/s16.c2/sm90/hopper/heavy");
  EXPECT_EQ(longer.ldx_extra, 8u);
  EXPECT_EQ(longer.ldy_extra, 16u);
  EXPECT_FALSE(find_case(edges, "qpn2_gemm/edge.unit/m5/dual/s16.c1/sm70/turing/exact").judges_order);
}

/// The cases of an operator and slice with all its ranks, each M with all five models.
std::map<std::pair<std::string, std::uint32_t>, std::size_t> cases_by_m(const Suite& suite,
                                                                        const std::string& layout) {
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> count;
  for (const Case& c : suite.cases) {
    EXPECT_EQ(c.layout, layout) << c.id;
    EXPECT_EQ(c.tp, 4u) << c.id;
    ++count[{c.operation, c.m}];
  }
  return count;
}

TEST(Suites, SharedCodesAndCompactScalesAreTheMatricesOfTheRecord) {
  const Suite shared = load_suite("shared-codes"), compact = load_suite("compact-scales");
  EXPECT_EQ(shared.cases.size(), 336u * 5);
  EXPECT_EQ(compact.cases.size(), 224u * 5);
  const auto of_shared = cases_by_m(shared, "shared"), of_compact = cases_by_m(compact, "compact");
  EXPECT_EQ(of_shared.size(), 2u * 12);
  EXPECT_EQ(of_compact.size(), 2u * 8);
  for (const std::uint32_t m : {1, 8, 9, 15, 16, 17, 18, 24, 31, 32, 33, 1024}) {
    EXPECT_EQ((of_shared.at({"qpn2_dispatch", m})), 24u * 5);
    EXPECT_EQ((of_shared.at({"qpn2_dispatch_gated", m})), 4u * 5);
  }
  for (const std::uint32_t m : {8, 16, 32, 33, 135, 512, 1023, 1024}) {
    EXPECT_EQ((of_compact.at({"qpn2_dispatch", m})), 24u * 5);
    EXPECT_EQ((of_compact.at({"qpn2_dispatch_gated", m})), 4u * 5);
  }
  EXPECT_EQ(find_case(shared, "qpn2_dispatch/gdn_in@r3/m1024/shared/sm90/hopper/cancel").rank, 3u);
}

TEST(Suites, TheSmallMatricesCoverEveryRealSlice) {
  for (const char* name : {"shared-codes-real", "compact-scales-real"}) {
    std::set<std::string> slices;
    std::set<std::uint32_t> rows;
    for (const Case& c : load_suite(name).cases) {
      if (c.slice == "minilm.0.o") rows.insert(c.m);
      if ((c.operation == "qpn2_dispatch_gated") == (c.slice == "smollm2.15.gate_up")) slices.insert(c.slice);
    }
    EXPECT_EQ(slices.size(), real_slice_names().size());
    EXPECT_TRUE(rows.contains(0) && rows.contains(33) && rows.contains(1024)) << name;
  }
}

/// Whether the suites' own table below knows the operator's admission.
bool is_qpn2(const Case& c) {
  return c.operation == "qpn2_gemm" || c.operation == "qpn2_gated";
}

/// The admission rule of the contract, in short; nothing when the case is admitted.
std::string why_not(const Case& c) {
  const SliceShape shape = slice_shape(c.slice).value();
  const bool gated = c.operation == "qpn2_gated";
  if (c.m > 64) return "M";
  if (shape.k % 64 != 0) return "K";
  const bool twelve = c.split_k == 12 && c.target != "sm70" && !gated;
  if (c.split_k != 8 && c.split_k != 16 && (gated || c.split_k != 32) && !twelve) return "S";
  if (c.chains != 1 && c.chains != 2) return "C";
  if (c.target == "sm70" && shape.k / 16 % c.split_k != 0) return "K over S";
  if (c.ldx_extra % 8 != 0) return "ldx";
  if (gated != (shape.halves == 2) && gated) return "halves";
  if (c.slice.starts_with("refused.")) return "scales";
  return "";
}

TEST(Suites, EveryCaseIsAdmittedOrMarkedRefused) {
  for (const std::string& name : suite_names())
    for (const Case& c : load_suite(name).cases)
      if (is_qpn2(c)) {
        EXPECT_EQ(c.refused.has_value(), !why_not(c).empty()) << c.id << ": " << why_not(c);
      }
}

TEST(Suites, IdsAreUniqueAndOnlyGateUpIsGated) {
  std::set<std::string> ids;
  std::size_t count = 0;
  for (const std::string& name : suite_names())
    for (const Case& c : load_suite(name).cases) {
      ids.insert(name + ":" + c.id);
      ++count;
    }
  EXPECT_EQ(ids.size(), count);
}

TEST(Suites, UnknownNamesAreRefused) {
  EXPECT_THROW(load_suite("nightly"), DataError);
  EXPECT_THROW(load_suite("suite.schema"), DataError);
}

}  // namespace
}  // namespace quadpair::cases
