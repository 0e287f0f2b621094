// Reference and emulated kernel agree on random admissible shapes, plans, targets, models and fills.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "cases/random.hpp"
#include "harness/run/verify_matrix.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

using Place = std::pair<std::string, std::string>;

/// A matrix of random codes and of block scales 0x20..0x60, with one global scale or one a tile.
std::shared_ptr<const cases::QuantizedMatrix> random_matrix(std::uint32_t n, std::uint32_t k,
                                                            std::uint32_t halves, bool tiles,
                                                            std::uint64_t seed) {
  const cases::RandomStream stream(seed, "agreement");
  auto w = std::make_shared<cases::QuantizedMatrix>();
  w->name = "random";
  w->source = "made-up";
  w->n = n;
  w->k = k;
  w->halves = halves;
  for (std::size_t i = 0; i < std::size_t{n} * k / 2; ++i)
    w->codes.push_back(static_cast<std::uint8_t>(stream.child(0)(i)));
  for (std::size_t i = 0; i < std::size_t{n} * k / 16; ++i)
    w->scales.push_back(static_cast<std::uint8_t>(0x20 + stream.child(1)(i) % 0x41));
  const std::size_t padded = halves == 2 ? qpn2::pad_gated(n) : qpn2::pad_to_tile(n);
  for (std::size_t i = 0; i < (tiles ? padded / 32 : 1); ++i)
    w->globals.push_back(1.0f / static_cast<float>(256 + stream.child(2)(i) % 4096));
  return w;
}

/// Every check of the case over these weights passes.
void require_agreement(const cases::Case& c, const std::shared_ptr<const cases::QuantizedMatrix>& weights,
                       std::uint64_t seed) {
  Options options = emulator_options();
  options.seed = seed;
  DevicePool devices(options.make_device);
  reports::CaseRecord record;
  verify_matrix(c, make_problem(c, *weights), Matrix(weights, weights->halves), options, devices, 1, record);
  for (const reports::Check& check : record.checks)
    if (!check.passed()) RC_FAIL(reports::describe(check) + " " + record.notes);
  RC_ASSERT(record.checks.size() >= 13u);
}

RC_GTEST_PROP(Agreement, OnRandomAdmissibleShapes, ()) {
  const bool gated = *rc::gen::arbitrary<bool>();
  const auto [target, model] =
      *rc::gen::element(Place("sm70", "volta"), Place("sm70", "turing"), Place("sm70", "fma-lowered"),
                        Place("sm80", "ampere"), Place("sm90", "hopper"));
  cases::Case c = small_case(target, model);
  c.operation = gated ? "qpn2_gated" : "qpn2_gemm";
  c.layout = *rc::gen::element<std::string>("dual", "shared", "compact");
  c.split_k = gated              ? *rc::gen::element(8u, 16u)
              : target == "sm70" ? *rc::gen::element(8u, 16u, 32u)
                                 : *rc::gen::element(8u, 12u, 16u, 32u);
  c.chains = *rc::gen::inRange(1u, 3u);
  c.m = *rc::gen::inRange(1u, 65u);
  c.fill = *rc::gen::element<std::string>("heavy", "cancel", "subnormal", "normal", "special");
  c.ldx_extra = 8 * *rc::gen::inRange(0u, 3u);
  c.ldy_extra = *rc::gen::inRange(0u, 5u);
  c.y_before = *rc::gen::inRange(0u, 5u);
  const auto n = *rc::gen::inRange(1u, 100u) * (gated ? 2 : 1);
  const auto unit = target == "sm70" ? std::max(64u, 16 * c.split_k) : 64u;
  const auto k = unit * *rc::gen::inRange(1u, 4u);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();

  const auto weights = random_matrix(n, k, gated ? 2 : 1, *rc::gen::arbitrary<bool>(), seed);
  require_agreement(c, weights, seed);
}

/// A dispatch with thresholds that lead small numbers of rows through every route.
RC_GTEST_PROP(Agreement, OfTheDispatchOnRandomShapes, ()) {
  const bool gated = *rc::gen::arbitrary<bool>();
  const auto [target, model] = *rc::gen::element(Place("sm70", "volta"), Place("sm70", "fma-lowered"),
                                                 Place("sm80", "ampere"), Place("sm90", "hopper"));
  cases::Case c = small_case(target, model);
  c.operation = gated ? "qpn2_dispatch_gated" : "qpn2_dispatch";
  c.layout = *rc::gen::element<std::string>("dual", "shared", "compact");
  c.qpn2_rows = *rc::gen::element(0u, 8u);
  c.dense_rows = *rc::gen::element(0u, 24u);
  c.m = *rc::gen::inRange(1u, 80u);
  c.fill = *rc::gen::element<std::string>("heavy", "cancel", "subnormal", "normal", "special");
  c.ldx_extra = 8 * *rc::gen::inRange(0u, 3u);
  c.ldy_extra = *rc::gen::inRange(0u, 5u);
  c.y_before = *rc::gen::inRange(0u, 5u);
  const auto n = *rc::gen::inRange(1u, 100u) * (gated ? 2 : 1);
  const auto k = 128 * *rc::gen::inRange(1u, 4u);
  c.workspace_limit = 32 * 2 * k * *rc::gen::inRange(1u, 4u);  // one tile or more
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();

  const auto weights = random_matrix(n, k, gated ? 2 : 1, *rc::gen::arbitrary<bool>(), seed);
  require_agreement(c, weights, seed);
}

}  // namespace
}  // namespace quadpair::run
