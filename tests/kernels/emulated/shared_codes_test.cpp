// qpn2_gemm and qpn2_gated give the same bits from TurboMind's codes as from their own.
#include <gtest/gtest.h>

#include "kernels/convert/pack_qpn2.hpp"
#include "kernels/convert/turbomind.hpp"
#include "kernels/qpn2/gated.hpp"
#include "tests/kernels/emulated/emulated.hpp"

namespace quadpair::qpn2 {
namespace {

using namespace emulated;

/// A matrix of two halves of 40 rows, each padded to 64, in both layouts; K serves every S on every target.
class SharedCodes : public testing::TestWithParam<Target> {
 protected:
  static constexpr std::uint32_t n = 80, k = 1536, padded = 128;

  void SetUp() override {
    const Checkpoint matrix = random_checkpoint(n, k, random_);
    const auto codes = input(*device_, "codes", matrix.codes),
               scales = input(*device_, "scales", matrix.scales);
    for (std::uint32_t halves : {1u, 2u}) {
      Packed& packed = packed_[halves - 1];
      packed.qpn2 = output(*device_, "QPN2 codes", code_bytes(padded, k));
      packed.turbomind = output(*device_, "TurboMind codes", code_bytes(padded, k));
      packed.scales = output(*device_, "QPN2 scales", scale_bytes(padded, k));
      device_->run(convert::pack_qpn2({n, k, halves, codes->address(), scales->address(),
                                       packed.qpn2->address(), packed.scales->address()},
                                      GetParam()));
      convert::PackTurbomindArguments pack;
      pack.n = n, pack.k = k, pack.halves = halves;
      pack.codes = codes->address();
      pack.packed_codes = packed.turbomind->address();
      device_->run(convert::pack_turbomind(pack, GetParam()));
    }
    x_ = input(*device_, "x", random_halves(std::size_t{64} * k, random_));
  }

  std::vector<std::uint16_t> product(bool is_gated, CodeLayout layout, std::uint32_t m, Tuning tuning) {
    const Packed& packed = packed_[is_gated ? 1 : 0];
    GemmArguments a;
    a.m = m, a.n = n, a.k = k, a.ldx = k, a.ldy = is_gated ? n / 2 : n;
    a.layout = layout;
    a.codes = (layout == CodeLayout::qpn2 ? packed.qpn2 : packed.turbomind)->address();
    a.scales = packed.scales->address();
    a.global.value = 0x3C00;
    a.x = x_->address();
    const auto y = output(*device_, "y", std::size_t{m} * a.ldy * 2);
    a.y = y->address();
    device_->run(is_gated ? gated(a, tuning, GetParam()) : gemm(a, tuning, GetParam()));
    return contents<std::uint16_t>(*y);
  }

  struct Packed {
    std::unique_ptr<device::Buffer> qpn2, turbomind, scales;
  };
  std::mt19937 random_{7};
  std::unique_ptr<device::Device> device_ = emulator(GetParam());
  Packed packed_[2];
  std::unique_ptr<device::Buffer> x_;
};

TEST_P(SharedCodes, SameBitsForEveryKernel) {
  for (const bool is_gated : {false, true})
    for (const std::uint32_t s : {8u, 12u, 16u, 32u})
      for (const std::uint32_t c : {1u, 2u})
        for (const std::uint32_t m : {7u, 16u, 33u}) {
          if (why_refused(m, n, k, {s, c}, GetParam(), is_gated)) continue;
          EXPECT_EQ(product(is_gated, CodeLayout::turbomind, m, {s, c}),
                    product(is_gated, CodeLayout::qpn2, m, {s, c}))
              << (is_gated ? "gated" : "gemm") << " s" << s << " c" << c << " m" << m;
        }
}

INSTANTIATE_TEST_SUITE_P(Targets, SharedCodes, testing::ValuesIn(all_targets), target_name);

}  // namespace
}  // namespace quadpair::qpn2
