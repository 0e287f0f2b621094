// Every SIMD target gives the same bits: random programs and the real kernels.
#include <gtest/gtest.h>

#include <random>

#include "kernels/qpn2/gated.hpp"
#include "kernels/qpn2/gemm.hpp"
#include "tests/device/emulator/random_program.hpp"
#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

/// `work` must give the same on every target.
template <class Work>
void expect_equal_on_targets(Work work, const std::string& what) {
  std::vector<decltype(work())> results;
  for_every_simd_target([&] { results.push_back(work()); });
  ASSERT_GE(results.size(), 2u) << "the portable target and another";
  for (const auto& result : results) ASSERT_EQ(result, results[0]) << what;
}

std::vector<std::uint8_t> random_bytes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(SimdTargets, AgreeOnRandomPrograms) {
  constexpr std::uint32_t blocks = 3, threads = 80;  // a partial warp too
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string body = random_program(seed, 80);
    const auto in_bytes = random_bytes(blocks * threads * random_program_input, seed);
    expect_equal_on_targets(
        [&] {
          KernelRunner runner(".param .u64 in, .param .u64 out", body);
          const auto in = runner.input(in_bytes);
          const auto out = runner.output<std::uint8_t>(blocks * threads * random_program_output);
          runner.run({blocks}, {threads}, Arguments().add(in->address()).add(out->address()));
          return contents<std::uint8_t>(*out);
        },
        body);
  }
}

struct Real {
  Target target;
  reference::Model model;
  bool gated;
};

class RealKernels : public testing::TestWithParam<Real> {};

TEST_P(RealKernels, AgreeOnEveryTarget) {
  const Real& real = GetParam();
  const qpn2::Tuning tuning = {8, 2};
  for (const std::uint32_t m : {1u, 9u, 17u}) {
    constexpr std::uint32_t n = 64, k = 256;
    const auto codes = random_bytes(n * k / 2, 1), noise = random_bytes(m * k, 3);
    std::vector<std::uint8_t> scales = random_bytes(n * k / 16, 2);
    for (std::uint8_t& scale : scales) scale = static_cast<std::uint8_t>(0x28 + scale % 0x30);
    std::vector<std::uint16_t> x(m * k);  // FP16 numbers of magnitude 2^-7 to 2
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<std::uint16_t>((noise[i] & 1) << 15 | (8 + noise[i] % 8) << 10 | noise[i] << 2);
    expect_equal_on_targets(
        [&] {
          const auto device = make_emulator({.model = real.model, .threads = 1});
          const auto filled = [&](const char* name, const auto& values) {
            auto buffer = device->allocate(name, values.size() * sizeof(values[0]), Access::input, 0);
            buffer->upload(std::as_bytes(std::span(values)));
            return buffer;
          };
          const auto d_codes = filled("codes", codes), d_scales = filled("scales", scales),
                     d_x = filled("x", x);
          const auto y = device->allocate("y", m * n * 2, Access::output, 0xCD);
          qpn2::GemmArguments arguments;
          arguments.m = m;
          arguments.n = n;
          arguments.k = k;
          arguments.codes = d_codes->address();
          arguments.scales = d_scales->address();
          arguments.global.value = 0x5c00;
          arguments.x = d_x->address();
          arguments.ldx = k;
          arguments.y = y->address();
          arguments.ldy = n;
          device->run(real.gated ? qpn2::gated(arguments, tuning, real.target)
                                 : qpn2::gemm(arguments, tuning, real.target));
          return contents<std::uint16_t>(*y);
        },
        "m = " + std::to_string(m));
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RealKernels,
                         testing::Values(Real{Target::sm70, reference::Model::volta, false},
                                         Real{Target::sm70, reference::Model::fma_lowered, false},
                                         Real{Target::sm80, reference::Model::ampere, false},
                                         Real{Target::sm90, reference::Model::hopper, false},
                                         Real{Target::sm70, reference::Model::turing, true},
                                         Real{Target::sm90, reference::Model::hopper, true}));

}  // namespace
}  // namespace quadpair::device
