// Sums by wgmma followed back: k by k as the plan has them, to x and to the codes.
#include <gtest/gtest.h>

#include <random>

#include "harness/device/device.hpp"
#include "harness/run/explain/device_sum.hpp"
#include "harness/run/explain/products.hpp"
#include "kernels/dense/dense_prefill.hpp"
#include "kernels/wide/tm_gemm.hpp"
#include "tests/harness/run/support.hpp"

namespace quadpair::run {
namespace {

constexpr std::uint32_t m = 130, n = 200, padded_n = 224, k = 448, ldx = k + 8;

template <class T>
std::unique_ptr<device::Buffer> input(device::Device& device, const char* name, const std::vector<T>& data) {
  auto buffer = device.allocate(name, data.size() * sizeof(T), device::Access::input, 0xA5);
  buffer->upload(std::as_bytes(std::span(data)));
  return buffer;
}

/// FP16 numbers near 1.
std::vector<std::uint16_t> halves(std::size_t count) {
  std::mt19937 random(7);
  std::vector<std::uint16_t> all(count);
  for (std::uint16_t& one : all) one = static_cast<std::uint16_t>(0x3800 + random() % 0x800);
  return all;
}

class ExplainWarpgroups : public testing::Test {
 protected:
  /// The only chain behind y[row, column] takes every step's k in the plan's order; `w(k)` is what it
  /// multiplies.
  template <class Weight>
  void expect_sum(const Launch& launch, const AccumulationPlan& plan, std::uint32_t row, std::uint32_t column,
                  Weight w) {
    const auto history = device_->trace(std::vector{launch}, y_->address() + (row * n + column) * 2);
    ASSERT_TRUE(history);
    const std::vector<DeviceSum> sums = device_sums(*history);
    ASSERT_EQ(sums.size(), 1u);
    ASSERT_EQ(sums[0].slices.size(), 1u);
    ASSERT_EQ(sums[0].slices[0].chains.size(), 1u);
    const DeviceSum::Chain& chain = sums[0].slices[0].chains[0];
    EXPECT_EQ(history->nodes[chain.start].bits, 0u);
    ASSERT_EQ(chain.steps.size(), k / 16);
    for (std::uint32_t step = 0; step < chain.steps.size(); ++step) {
      const auto products = products_of(*history, chain.steps[step], plan.mma, ldx);
      ASSERT_EQ(products.size(), 16u);
      for (std::uint32_t i = 0; i < 16; ++i) {
        const std::uint32_t at = step / 4 * 64 + plan.steps[step % 4].k[i];
        ASSERT_EQ(products[i].row, row) << step;
        ASSERT_EQ(products[i].k, at) << step;
        ASSERT_EQ(products[i].x, x_[row * ldx + at]);
        ASSERT_EQ(products[i].w, w(at)) << column;
      }
    }
    std::vector<std::uint16_t> y(std::size_t{m} * n);
    y_->download(std::as_writable_bytes(std::span(y)));
    EXPECT_EQ(history->nodes[sums[0].rounded].bits & 0xFFFF, y[row * n + column]);
  }

  const std::unique_ptr<device::Device> device_ = emulator(reference::Model::hopper, 1);
  const std::vector<std::uint16_t> x_ = halves(std::size_t{m} * ldx);
  const std::unique_ptr<device::Buffer> rows_ = input(*device_, "x", x_);
  const std::unique_ptr<device::Buffer> y_ = device_->allocate("y", m* n * 2, device::Access::output, 0xA5);
};

TEST_F(ExplainWarpgroups, CodesInRegisters) {
  // Every code of column c is c % 8: its numbers, in FP16, are those of E2M1.
  const std::uint16_t e2m1[] = {0x0000, 0x3800, 0x3C00, 0x3E00, 0x4000, 0x4200, 0x4400, 0x4600};
  std::vector<std::uint32_t> codes(std::size_t{padded_n} * k / 8);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint32_t>(i % 8) * 0x11111111u;
  const auto weights = input(*device_, "codes", codes),
             scales = input(*device_, "scales", std::vector<std::uint16_t>(padded_n * k / 16, 0x3C00));
  wide::TmGemmArguments a;
  a.m = m, a.n = n, a.k = k, a.ldx = ldx, a.ldy = n;
  a.codes = weights->address(), a.scales = scales->address(), a.x = rows_->address(), a.y = y_->address();
  for (const wide::Tuning tile : {wide::Tuning{96, 128, 1, true}, {152, 256, 1, true}}) {
    const Launch launch = wide::tm_gemm(a, tile, Target::sm90).at(0);
    const AccumulationPlan plan = wide::accumulation_plan(k, tile, Target::sm90);
    for (const auto& [row, column] : {std::pair(0u, 1u), {77u, 30u}, {129u, 199u}})
      expect_sum(launch, plan, row, column, [&, c = column](std::uint32_t) { return e2m1[c % 8]; });
  }
}

TEST_F(ExplainWarpgroups, BothFactorsInSharedMemory) {
  const std::vector<std::uint16_t> w = halves(std::size_t{n} * k);
  const auto weights = input(*device_, "w", w);
  const dense::GemmArguments a{m, n, k, rows_->address(), ldx, weights->address(), y_->address(), n};
  for (const wide::Tuning tile : {wide::Tuning{128, 192, 1, true}, {256, 160, 1, true}}) {
    const Launch launch = dense::gemm(a, tile, Target::sm90).at(0);
    const AccumulationPlan plan = dense::accumulation_plan(k, Target::sm90);
    for (const auto& [row, column] : {std::pair(0u, 1u), {77u, 30u}, {129u, 199u}})
      expect_sum(launch, plan, row, column, [&, c = column](std::uint32_t at) { return w[c * k + at]; });
  }
}

}  // namespace
}  // namespace quadpair::run
