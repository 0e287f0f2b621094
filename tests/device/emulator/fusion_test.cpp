// Launches run with fused instructions, but for those that are traced: both compute the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/device/emulator/random_program.hpp"
#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

struct Program {
  std::string body;  ///< of an entry with parameters `in` and `out`
  std::uint32_t input = random_program_input, output = random_program_output;  ///< bytes a thread
};

enum class How { traced, replayed, sanitized };

std::vector<std::uint8_t> result(const Program& program, std::uint64_t seed, How how) {
  constexpr std::uint32_t blocks = 2, threads = 80;  // a partial warp too
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(std::size_t{blocks} * threads * program.input);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  KernelRunner runner(".param .u64 in, .param .u64 out", program.body,
                      {.threads = 1, .sanitize = how == How::sanitized});
  const auto in = runner.input(bytes);
  const auto out = runner.output<std::uint8_t>(std::size_t{blocks} * threads * program.output);
  const Launch launch =
      runner.launch({blocks}, {threads}, Arguments().add(in->address()).add(out->address()));
  if (how == How::traced)
    runner.device().trace({&launch, 1}, out->address());
  else if (how == How::replayed)
    runner.device().capture({&launch, 1})->replay();
  else
    runner.device().run({&launch, 1});
  return contents<std::uint8_t>(*out);
}

void expect_equal(const Program& program, std::uint64_t seed) {
  const std::vector<std::uint8_t> written = result(program, seed, How::traced);
  ASSERT_EQ(result(program, seed, How::sanitized), written) << program.body;
  for_every_simd_target([&] { ASSERT_EQ(result(program, seed, How::replayed), written) << program.body; });
}

TEST(Fusion, RandomProgramsComputeTheSame) {
  for (std::uint64_t seed = 100; seed < 180; ++seed) expect_equal({random_program(seed, 120)}, seed);
}

/// Instructions that fusion is about, over few registers, so that most take in the results of others.
std::string decoding_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::uint64_t below) { return random() % below; };
  const auto reg = [&] { return fmt::format("%r{}", pick(6)); };
  const auto amount = [&] { return pick(10) == 0 ? 31 + pick(4) : pick(32); };
  const auto mask = [&] { return static_cast<std::uint32_t>(random()) >> pick(32) << pick(8); };
  std::string text =
      ".reg .b32 %r<6>, %t, %c<2>; .reg .b64 %in, %out, %i, %j, %a; .reg .pred %p, %q;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
      "mov.u32 %r0, %ctaid.x; mad.lo.u32 %t, %r0, 80, %t;\n"
      "mul.wide.u32 %i, %t, 64; add.s64 %in, %in, %i; mul.wide.u32 %i, %t, 24; add.s64 %out, %i, %out;\n"
      "mov.u32 %c0, 2155905152; mov.u32 %c1, 65537;\n";
  for (int k = 0; k < 6; ++k) text += fmt::format("ld.global.u32 %r{}, [%in+{}];\n", k, 4 * k);
  text += "setp.lt.s32 %p, %r0, 0; setp.lt.s32 %q, %r1, 0;\n";
  for (int n = 0; n < 60; ++n) {
    const std::uint64_t kind = pick(16);
    if (kind != 15 && pick(8) == 0) text += pick(2) == 0 ? "@%p " : "@!%q ";
    switch (kind) {
      case 0: text += fmt::format("shl.b32 {}, {}, {};\n", reg(), reg(), amount()); break;
      case 1: text += fmt::format("shr.u32 {}, {}, {};\n", reg(), reg(), amount()); break;
      case 2: text += fmt::format("shr.b32 {}, {}, {};\n", reg(), reg(), amount()); break;
      case 3:
      case 4:
      case 5: text += fmt::format("and.b32 {}, {}, {};\n", reg(), reg(), mask()); break;
      case 6: text += fmt::format("and.b32 {}, {}, {};\n", reg(), reg(), reg()); break;
      case 7: text += fmt::format("or.b32 {}, {}, {};\n", reg(), reg(), reg()); break;
      case 8: text += fmt::format("xor.b32 {}, {}, {};\n", reg(), reg(), reg()); break;
      case 9: text += fmt::format("add.s32 {}, {}, {};\n", reg(), reg(), reg()); break;
      case 10: text += fmt::format("lop3.b32 {}, {}, {}, %c0, 228;\n", reg(), reg(), reg()); break;
      case 11: text += fmt::format("lop3.b32 {}, {}, {}, {}, 228;\n", reg(), reg(), reg(), reg()); break;
      case 12: text += fmt::format("mul.rn.f16x2 {}, {}, {};\n", reg(), reg(), reg()); break;
      case 13: text += fmt::format("mul.rn.f16x2 {}, %c1, {};\n", reg(), reg()); break;
      case 14: text += fmt::format("mov.u32 {}, {};\n", reg(), pick(3)); break;
      case 15: {
        // A load with a constant for the lanes that do not load, from an address made by sums and a product.
        const int first = static_cast<int>(pick(3));
        std::string movs;
        for (int k = first; k < first + 4; ++k) movs += fmt::format("mov.u32 %r{}, 7; ", k);
        text += fmt::format(
            "add.s64 %j, %in, 16; {}add.s64 %a, %j, {}; and.b32 %t, {}, 1; mul.wide.u32 %i, %t, 16; "
            "add.s64 %a, %a, %i;\n{}ld.global.v4.u32 {{%r{}, %r{}, %r{}, %r{}}}, [%a+{}];\n",
            pick(4) != 0 ? movs : "", pick(2) ? "0" : "-16", reg(), pick(2) ? "@%p " : "@!%p ", first,
            first + 1, first + 2, first + 3, 16 * pick(2));
        break;
      }
    }
    if (pick(12) == 0) text += fmt::format("@%q bra L{0}; xor.b32 %r5, %r5, %c1; L{0}:\n", n);
  }
  for (int k = 0; k < 6; ++k) text += fmt::format("st.global.u32 [%out+{}], %r{};\n", 4 * k, k);
  return text + "ret;";
}

TEST(Fusion, DecodingComputesTheSame) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) expect_equal({decoding_program(seed), 64, 24}, seed);
}

}  // namespace
}  // namespace quadpair::device
