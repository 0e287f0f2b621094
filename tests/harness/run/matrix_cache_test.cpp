#include "harness/run/matrix_cache.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "cases/error.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::run {
namespace {

constexpr std::size_t plenty = 1 << 28;

TEST(MatrixCache, MakesAMatrixOnce) {
  MatrixCache cache(1, plenty);
  const auto matrix = cache.matrix("edge.all_codes", 1);
  EXPECT_EQ(cache.matrix("edge.all_codes", 1), matrix);
  EXPECT_EQ(cache.slice("edge.all_codes").weights, matrix->weights);
}

TEST(MatrixCache, MakesPartsOfAMatrixOnce) {
  MatrixCache cache(1, plenty);
  const auto matrix = cache.matrix("edge.all_codes", 1);
  EXPECT_EQ(&matrix->decoded(DecodeRule::qpn2), &matrix->decoded(DecodeRule::qpn2));
  EXPECT_NE(&matrix->decoded(DecodeRule::qpn2), &matrix->decoded(DecodeRule::turbomind));
  EXPECT_EQ(matrix->packed("qpn2_codes").data(), matrix->packed("qpn2_codes").data());
  EXPECT_THROW(matrix->packed("qpn3_codes"), std::invalid_argument);
}

TEST(MatrixCache, KeepsHalvesApart) {
  MatrixCache cache(1, plenty);
  EXPECT_EQ(cache.matrix("smollm2.15.gate_up", 2)->view.halves, 2u);
  EXPECT_EQ(cache.matrix("smollm2.15.gate_up", 1)->view.halves, 1u);
}

TEST(MatrixCache, DropsTheLeastRecentlyUsed) {
  MatrixCache cache(1, 1);  // room for the newest alone
  const std::weak_ptr<const Matrix> first = cache.matrix("edge.all_codes", 1);
  EXPECT_FALSE(first.expired());
  const auto held = cache.matrix("edge.k64", 1);
  EXPECT_TRUE(first.expired());
  cache.matrix("edge.unit", 1);
  EXPECT_EQ(held->weights->name, "edge.k64");  // dropped, but alive where it is used
}

TEST(MatrixCache, ThreadsShareOneMatrix) {
  MatrixCache cache(1, plenty);
  std::vector<std::shared_ptr<const Matrix>> seen(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(seen.size());
    for (auto& matrix : seen) threads.emplace_back([&] { matrix = cache.matrix("edge.n4120", 1); });
  }
  for (const auto& matrix : seen) EXPECT_EQ(matrix, seen[0]);
}

TEST(MatrixCache, ErrorsComeAgain) {
  MatrixCache cache(1, plenty);
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(cache.slice("no.such.slice"), cases::DataError);
    EXPECT_THROW(cache.matrix("refused.scale_nan", 1), RangeError);
  }
}

TEST(Fingerprint, DependsOnEveryPart) {
  const cases::QuantizedMatrix empty;
  // SHA-256 of no bytes (FIPS 180-4 example).
  EXPECT_EQ(fingerprint(empty), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  cases::QuantizedMatrix codes, scales, globals;
  codes.codes = {1};
  scales.scales = {2};
  globals.globals = {1.0f};
  EXPECT_NE(fingerprint(codes), fingerprint(empty));
  EXPECT_NE(fingerprint(scales), fingerprint(codes));
  EXPECT_NE(fingerprint(globals), fingerprint(empty));
}

}  // namespace
}  // namespace quadpair::run
