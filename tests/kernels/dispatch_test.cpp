// Which route a number of rows takes, what refuses it, and what is launched.
#include "kernels/projection/dispatch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/common/error.hpp"
#include "tests/kernels/fake_projection.hpp"

namespace quadpair {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float globals[] = {1.0f / 2688};
constexpr DispatchBuffers buffers{0x1000, 1536, 0x2000, 5120, 0x100000};

/// [n, 1536] with its surroundings.
struct Made {
  explicit Made(StoragePolicy policy, Target target = Target::sm90, std::uint32_t halves = 1,
                std::uint32_t n = 5120, std::uint32_t k = 1536)
      : projection(fake_projection(fake_matrix(n, k, halves, globals), policy, target, asked)) {}
  Asked asked;
  Projection projection;
};

DispatchRequest rows(std::uint32_t m) {
  DispatchRequest request;
  request.m = m;
  return request;
}

std::vector<std::string> launched(const Projection& projection, const DispatchRequest& request) {
  std::vector<std::string> names;
  for (const Launch& launch : qpn2_dispatch(projection, request, buffers).launches) {
    std::string name(launch.module->name);
    if (name == "convert/turbomind") name.append(":").append(launch.entry);
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

TEST(Dispatch, ThresholdsAreInclusive) {
  const Made made(StoragePolicy::shared);
  const std::pair<std::uint32_t, Route> table[] = {{0, Route::none},    {1, Route::qpn2},
                                                   {32, Route::qpn2},   {33, Route::wide},
                                                   {1023, Route::wide}, {1024, Route::dense}};
  for (const auto& [m, route] : table) EXPECT_EQ(admit(made.projection, rows(m)), route) << m;

  DispatchRequest other = rows(64);
  other.thresholds = {8, 64};
  EXPECT_EQ(admit(made.projection, other), Route::dense);
  other.m = 9;
  EXPECT_EQ(admit(made.projection, other), Route::wide);
  other.m = 4096;
  other.thresholds.dense_rows = 0;  // never
  EXPECT_EQ(admit(made.projection, other), Route::wide);
}

TEST(Dispatch, LaunchesTheRoutesKernels) {
  for (const StoragePolicy policy : {StoragePolicy::dual, StoragePolicy::shared, StoragePolicy::compact})
    for (const Target target : {Target::sm70, Target::sm80, Target::sm90}) {
      const Made made(policy, target);
      EXPECT_TRUE(launched(made.projection, rows(0)).empty());
      EXPECT_THAT(launched(made.projection, rows(32)), ElementsAre("qpn2/gemm"));
      EXPECT_THAT(launched(made.projection, rows(33)), ElementsAre("wide/tm_gemm"));
      EXPECT_THAT(launched(made.projection, rows(1024)), ElementsAre("dense/decode", "dense/gemm"));
    }
}

TEST(Dispatch, GatedEndsInSiluAndMul) {
  const Made made(StoragePolicy::compact, Target::sm80, 2);
  const auto gated = [](std::uint32_t m) {
    DispatchRequest request = rows(m);
    request.gated = true;
    return request;
  };
  EXPECT_THAT(launched(made.projection, gated(8)), ElementsAre("qpn2/gated"));
  EXPECT_THAT(launched(made.projection, gated(33)), ElementsAre("wide/tm_gemm", "wide/silu_and_mul"));
  EXPECT_THAT(launched(made.projection, gated(2000)),
              ElementsAre("dense/decode", "dense/gemm", "wide/silu_and_mul"));
  const Made plain(StoragePolicy::compact);
  EXPECT_THROW(admit(plain.projection, gated(1)), Refused);
  const Made padded(StoragePolicy::compact, Target::sm80, 2, 160, 256);  // 80 + 80: gaps after each
  EXPECT_THROW(admit(padded.projection, rows(1)), Refused);
  EXPECT_EQ(admit(padded.projection, gated(1)), Route::qpn2);
}

TEST(Dispatch, RestoringToATemporaryIsForCompactScalesAndSmallGraphs) {
  const auto refusal = [](const Made& made, DispatchRequest request) -> std::string {
    request.restore_to_temporary = true;
    try {
      return std::string(to_string(admit(made.projection, request)));
    } catch (const Refused& refused) {
      return refused.what();
    }
  };
  const Made compact(StoragePolicy::compact), shared(StoragePolicy::shared);
  DispatchRequest request = rows(33);
  EXPECT_EQ(refusal(compact, request), "tm_gemm with temporary scales");
  EXPECT_THAT(refusal(shared, request), HasSubstr("policy shared keeps its scales"));
  request.in_graph = true;
  EXPECT_THAT(refusal(compact, request), HasSubstr("M=33: a graph that restores scales"));
  request.m = 32;
  EXPECT_EQ(refusal(compact, request), "qpn2");
  request.thresholds.qpn2_rows = 8;
  EXPECT_EQ(refusal(compact, request), "tm_gemm with temporary scales");
  request.restore_to_temporary = true;
  EXPECT_THAT(launched(compact.projection, request),
              ElementsAre("convert/turbomind:restore_tm_scales", "wide/tm_gemm"));
}

TEST(Dispatch, RefusesWhatNoKernelServes) {
  const auto refusal = [](const Made& made, const DispatchRequest& request) -> std::string {
    try {
      return std::string(to_string(admit(made.projection, request)));
    } catch (const Refused& refused) {
      return refused.what();
    }
  };
  // 36 groups do not divide into slices on sm70; native slices may be uneven.
  const Made odd(StoragePolicy::shared, Target::sm70, 1, 64, 576);
  EXPECT_THAT(refusal(odd, rows(8)), HasSubstr("K=576"));
  EXPECT_EQ(refusal(odd, rows(33)), "tm_gemm");
  EXPECT_EQ(refusal(Made(StoragePolicy::shared, Target::sm90, 1, 64, 576), rows(8)), "qpn2");
  const Made made(StoragePolicy::shared);
  DispatchRequest many = rows(65);
  many.thresholds.qpn2_rows = 100;
  EXPECT_THAT(refusal(made, many), HasSubstr("M=65"));
  DispatchRequest tight = rows(1024);
  tight.dense_workspace_limit = 32 * 1536 * 2 - 1;  // one byte less than a tile
  EXPECT_THAT(refusal(made, tight), HasSubstr("98303"));
  tight.dense_workspace_limit += 1;
  EXPECT_EQ(refusal(made, tight), "dense_prefill");
}

TEST(Dispatch, WorkspaceIsWhatTheRouteNeeds) {
  const Made compact(StoragePolicy::compact, Target::sm90, 2, 160, 256);  // padded to 192
  DispatchRequest request = rows(33);
  request.gated = true;
  EXPECT_EQ(workspace_bytes(compact.projection, request), 33u * 192 * 2);
  request.restore_to_temporary = true;  // beginning at a multiple of 256
  EXPECT_EQ(workspace_bytes(compact.projection, request), 12800u + 16 * 192 * 2);
  request.m = 8;
  EXPECT_EQ(workspace_bytes(compact.projection, request), 0u);
  const Made plain(StoragePolicy::compact, Target::sm90, 1, 160, 256);
  request = rows(33);
  EXPECT_EQ(workspace_bytes(plain.projection, request), 0u);
  request.m = 1024;
  request.dense_workspace_limit = 40000;  // two tiles of 32 rows of 256
  EXPECT_EQ(workspace_bytes(plain.projection, request), 2u * 32 * 256 * 2);
  EXPECT_THROW(qpn2_dispatch(plain.projection, request, {0x1000, 256, 0x2000, 160, 0}), Refused);
  EXPECT_THROW(qpn2_dispatch(plain.projection, request, {0x1000, 256, 0x2000, 160, 0x1010}), Refused);
}

}  // namespace
}  // namespace quadpair
