// The dense route: the decode by the QPN2 rule, the product by its plan, and chunks that fit the workspace.
#include <gtest/gtest.h>

#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/convert/turbomind.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "tests/kernels/emulated/emulated.hpp"

namespace quadpair::dense {
namespace {

using namespace emulated;

class Dense : public testing::TestWithParam<Target> {
 protected:
  std::mt19937 random_{31};
  std::unique_ptr<device::Device> device_ = emulator(GetParam());
};

TEST_P(Dense, EveryTileByPlan) {
  constexpr std::uint32_t k = 192;
  const AccumulationPlan plan = accumulation_plan(k, GetParam());
  for (const KernelInfo& kernel : find_module("dense/gemm", GetParam()).kernels) {
    std::string tile = std::string(kernel.entry).substr(std::string("dense_gemm_").size());
    tile[tile.find('_')] = '.';
    const wide::Tuning tuning = wide::tuning_from_string(tile).value();
    const std::uint32_t m = tuning.rows + 3, n = tuning.columns + 37, ldx = k + 8, ldy = n + 2;
    const auto x = random_halves(std::size_t{m} * ldx - 8, random_),
               w = random_halves(std::size_t{n} * k, random_);
    std::vector<std::uint16_t> expected(std::size_t{m} * ldy, 0xA5A5);
    for (std::uint32_t row = 0; row < m; ++row)
      for (std::uint32_t column = 0; column < n; ++column)
        expected[row * ldy + column] =
            summed(plan, model_of(GetParam()), std::span(x).subspan(std::size_t{row} * ldx, k),
                   std::span(w).subspan(std::size_t{column} * k, k));
    const auto rows = input(*device_, "x", x), weights = input(*device_, "w", w),
               y = output(*device_, "y", expected.size() * 2);
    device_->run(
        gemm({m, n, k, rows->address(), ldx, weights->address(), y->address(), ldy}, tuning, GetParam()));
    EXPECT_EQ(contents<std::uint16_t>(*y), expected) << kernel.entry;
  }
}

TEST_P(Dense, ChunksDecodeAndMultiply) {
  // Five tiles of 32 features, the last one padded, three of them a chunk; every tile has a G of its own.
  constexpr std::uint32_t m = 5, n = 152, k = 576, padded = 160;
  const Checkpoint matrix = random_checkpoint(n, k, random_, 0x01, 0x40);
  const std::vector<std::uint16_t> globals = {0x3C00, 0x2E66, 0x4200, 0x0812,
                                              0x3955};  // 1, about 0.1, 3, near 2^-13, 2/3
  const auto codes = input(*device_, "codes", matrix.codes),
             scales = input(*device_, "scales", matrix.scales), tile_globals = input(*device_, "G", globals);
  const auto qpn2_codes = output(*device_, "QPN2 codes", qpn2::code_bytes(padded, k)),
             turbomind_codes = output(*device_, "TurboMind codes", qpn2::code_bytes(padded, k)),
             packed_scales = output(*device_, "QPN2 scales", qpn2::scale_bytes(padded, k));
  device_->run(convert::pack_qpn2(
      {n, k, 1, codes->address(), scales->address(), qpn2_codes->address(), packed_scales->address()},
      GetParam()));
  device_->run(
      convert::pack_turbomind({n, k, 1, codes->address(), 0, {}, turbomind_codes->address(), 0}, GetParam()));

  // w = h(e2m1 2^-14 . h(e4m3 . G)), every product rounded.
  std::vector<std::uint16_t> decoded(std::size_t{n} * k);
  for (std::uint32_t row = 0; row < n; ++row)
    for (std::uint32_t column = 0; column < k; ++column) {
      const float scale = to_float(half(e4m3(matrix.scale(row, column / 16)) * to_float(globals[row / 32])));
      decoded[row * k + column] = half(e2m1(matrix.code(row, column)) * 0x1p-14f * scale);
    }
  const auto x = random_halves(std::size_t{m} * k, random_);
  const AccumulationPlan plan = accumulation_plan(k, GetParam());
  std::vector<std::uint16_t> expected;
  for (std::uint32_t row = 0; row < m; ++row)
    for (std::uint32_t column = 0; column < n; ++column)
      expected.push_back(summed(plan, model_of(GetParam()), std::span(x).subspan(std::size_t{row} * k, k),
                                std::span(decoded).subspan(std::size_t{column} * k, k)));

  constexpr std::size_t tile_bytes = 32 * k * 2, limit = 5 * tile_bytes - 1;
  const std::size_t used = workspace_bytes(padded, k, limit);
  EXPECT_EQ(used, 3 * tile_bytes);
  const auto rows = input(*device_, "x", x);
  for (const auto layout : {qpn2::CodeLayout::qpn2, qpn2::CodeLayout::turbomind}) {
    const auto workspace = device_->allocate("workspace", used, device::Access::scratch, 0x5A);
    const auto y = output(*device_, "y", expected.size() * 2);
    PrefillArguments a;
    a.gemm.m = m, a.gemm.n = n, a.gemm.k = k, a.gemm.ldx = k, a.gemm.ldy = n;
    a.gemm.layout = layout;
    a.gemm.codes = (layout == qpn2::CodeLayout::qpn2 ? qpn2_codes : turbomind_codes)->address();
    a.gemm.scales = packed_scales->address();
    a.gemm.global.tiles = tile_globals->address();
    a.gemm.x = rows->address(), a.gemm.y = y->address();
    a.workspace = workspace->address(), a.workspace_limit = limit;
    const std::vector<Launch> launches = dense_prefill(a, GetParam());
    EXPECT_EQ(launches.size(), 4u);
    device_->run(launches);
    EXPECT_EQ(contents<std::uint16_t>(*y), expected);
    const auto last_chunk = contents<std::uint16_t>(*workspace);  // the last two tiles' decoded rows
    EXPECT_EQ(std::vector(last_chunk.begin(), last_chunk.begin() + 56 * k),
              std::vector(decoded.begin() + 96 * k, decoded.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Dense, testing::ValuesIn(all_targets), target_name);

}  // namespace
}  // namespace quadpair::dense
