// ld and st of every width and vector in global, shared, generic and parameter space.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/device/opcodes/access_kernel.hpp"
#include "tests/device/opcodes/kernel_runner.hpp"
#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

constexpr std::uint64_t kept = 77;  ///< what the registers hold before a guarded load

std::vector<std::uint8_t> random_bytes(std::size_t count) {
  std::mt19937 random(11);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& one : bytes) one = static_cast<std::uint8_t>(random());
  return bytes;
}

bool is_off(unsigned lane, bool guarded) {
  return guarded && (lanes_off >> lane & 1) != 0;
}

/// What a register holds after a load: signed types extend the sign, others zeros.
std::uint64_t loaded(const AccessShape& shape, const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, shape.bits / 8);
  if (shape.type[0] == 's') value = static_cast<std::uint64_t>(sign_extended(value, shape.bits));
  return low_bits(value, shape.register_bits);
}

void expect_load(const AccessShape& shape, const Space& space, bool in_order, bool guarded) {
  std::string body = access_prologue(shape, space);
  for (unsigned k = 0; k < 4; ++k) body += fmt::format("mov.b{} %x{}, {};\n", shape.register_bits, k, kept);
  body += fmt::format("{}ld.{}{} {}, [%at+48];\n", guarded ? "@!%off " : "", space.prefix, shape.suffix(),
                      shape.registers());
  for (unsigned k = 0; k < shape.count; ++k)
    body += fmt::format("st.global.b{} [%values+{}], %x{};\n", shape.register_bits, 8 * k, k);
  KernelRunner runner(access_parameters, body + "ret;");
  const std::vector<std::uint8_t> data = random_bytes(window_bytes);
  const std::vector<std::uint32_t> places = access_places(shape.bytes(), in_order);
  const auto bytes = runner.input(data), at = runner.input(places);
  const auto values = runner.filled("values", std::vector<std::uint64_t>(32 * 4), Access::output);
  runner.run({1}, {32}, Arguments().add(bytes->address()).add(at->address()).add(values->address()));
  const auto found = contents<std::uint64_t>(*values);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned k = 0; k < shape.count; ++k)
      ASSERT_EQ(found[lane * 4 + k],
                is_off(lane, guarded) ? kept : loaded(shape, &data[places[lane] + k * shape.bits / 8]))
          << space.name << " " << shape.suffix() << " into " << shape.register_bits << " bits, lane " << lane
          << ", element " << k << ", in order " << in_order << ", guarded " << guarded;
}

void expect_store(const AccessShape& shape, const Space& space, bool in_order, bool guarded) {
  std::string body = access_prologue(shape, space);
  for (unsigned k = 0; k < shape.count; ++k)
    body += fmt::format("ld.global.b{} %x{}, [%values+{}];\n", shape.register_bits, k, 8 * k);
  body += fmt::format("{}st.{}{} [%at+48], {};\n", guarded ? "@!%off " : "", space.prefix, shape.suffix(),
                      shape.registers());
  if (space.shared) body += copy_back();
  KernelRunner runner(access_parameters, body + "ret;");
  std::vector<std::uint8_t> expected = random_bytes(window_bytes);
  const std::vector<std::uint32_t> places = access_places(shape.bytes(), in_order);
  std::vector<std::uint64_t> values(32 * 4);
  std::mt19937_64 random(5);
  for (std::uint64_t& one : values) one = random();
  const auto bytes = runner.filled("bytes", expected, Access::output);
  const auto at = runner.input(places), from = runner.input(values);
  runner.run({1}, {32}, Arguments().add(bytes->address()).add(at->address()).add(from->address()));
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned k = 0; k < shape.count && !is_off(lane, guarded); ++k)
      std::memcpy(&expected[places[lane] + k * shape.bits / 8], &values[lane * 4 + k], shape.bits / 8);
  ASSERT_EQ(contents<std::uint8_t>(*bytes), expected)
      << space.name << " " << shape.suffix() << " from " << shape.register_bits << " bits, in order "
      << in_order << ", guarded " << guarded;
}

class Memory : public testing::TestWithParam<Space> {};
INSTANTIATE_TEST_SUITE_P(Spaces, Memory, testing::ValuesIn(spaces), [](const auto& param) {
  return fmt::format("{}{}", param.param.generic ? "generic" : "own",
                     param.param.shared ? "_shared" : "_global");
});

TEST_P(Memory, Loads) {
  for (const AccessShape& shape : access_shapes())
    for (const bool in_order : {true, false})
      for (const bool guarded : {false, true})
        for_every_simd_target([&] { expect_load(shape, GetParam(), in_order, guarded); });
}

TEST_P(Memory, Stores) {
  for (const AccessShape& shape : access_shapes())
    for (const bool in_order : {true, false})
      for (const bool guarded : {false, true})
        for_every_simd_target([&] { expect_store(shape, GetParam(), in_order, guarded); });
}

// All lanes at one address, and two lanes at one address: loads need no lane of its own.
TEST(MemoryOf, LanesMayLoadFromOnePlace) {
  KernelRunner runner(
      ".param .u64 in, .param .u64 out",
      ".reg .b64 %in, %out, %i; .reg .b32 %lane, %x, %y;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %lane, %laneid;\n"
      "ld.global.u32 %x, [%in+4]; shr.u32 %y, %lane, 1; mul.wide.u32 %i, %y, 4; add.u64 %in, %in, %i;\n"
      "ld.global.u32 %y, [%in]; mul.wide.u32 %i, %lane, 8; add.u64 %out, %out, %i;\n"
      "st.global.v2.u32 [%out], {%x, %y}; ret;");
  std::vector<std::uint32_t> values(16);
  for (std::uint32_t i = 0; i < 16; ++i) values[i] = 100 + i;
  const auto in = runner.input(values);
  const auto out = runner.output<std::uint32_t>(64);
  runner.run({1}, {32}, Arguments().add(in->address()).add(out->address()));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(found[2 * lane], 101u);
    EXPECT_EQ(found[2 * lane + 1], 100 + lane / 2);
  }
}

/// Rows as an m8n8k4 fragment has them: every four lanes of a half warp load from the same four places, but
/// for `exception`.
void expect_repeated_rows(std::uint32_t exception) {
  KernelRunner runner(
      ".param .u64 in, .param .u64 at, .param .u64 out",
      ".reg .b64 %in, %at, %out, %i; .reg .b32 %lane, %x, %y, %z, %w;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %at, [at]; ld.param.u64 %out, [out]; mov.u32 %lane, %laneid;\n"
      "mul.wide.u32 %i, %lane, 4; add.u64 %at, %at, %i; ld.global.u32 %x, [%at];\n"
      "mul.wide.u32 %i, %x, 16; add.u64 %in, %in, %i; ld.global.v4.u32 {%x, %y, %z, %w}, [%in];\n"
      "mul.wide.u32 %i, %lane, 16; add.u64 %out, %out, %i; st.global.v4.u32 [%out], {%x, %y, %z, %w}; ret;");
  std::vector<std::uint32_t> values(4 * 16), rows(32);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = 1000 + i;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    rows[lane] = lane == exception ? 13 : 5 * (lane / 16) + 4 - lane % 4;
  const auto in = runner.input(values), at = runner.input(rows);
  const auto out = runner.output<std::uint32_t>(4 * 32);
  runner.run({1}, {32}, Arguments().add(in->address()).add(at->address()).add(out->address()));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t i = 0; i < found.size(); ++i)
    ASSERT_EQ(found[i], 1000 + 4 * rows[i / 4] + i % 4) << "lane " << i / 4 << ", exception " << exception;
}

TEST(MemoryOf, EveryFourLanesMayLoadFromTheSameRows) {
  for (std::uint32_t exception = 0; exception <= 32; ++exception)
    for_every_simd_target([&] { expect_repeated_rows(exception); });
}

void expect_parameter_load(const AccessShape& shape) {
  const std::vector<std::uint8_t> block = random_bytes(64);
  std::string body =
      fmt::format(".reg .b64 %out, %i; .reg .b32 %lane; .reg .b{} %x<4>;\n", shape.register_bits);
  body += fmt::format("ld.param.{} {}, [block+16];\n", shape.suffix(), shape.registers());
  body +=
      "ld.param.u64 %out, [out]; mov.u32 %lane, %laneid; mul.wide.u32 %i, %lane, 32; add.u64 %out, %out, "
      "%i;\n";
  for (unsigned k = 0; k < shape.count; ++k)
    body += fmt::format("st.global.b{} [%out+{}], %x{};\n", shape.register_bits, 8 * k, k);
  KernelRunner runner(".param .u64 out, .param .align 8 .b8 block[64]", body + "ret;");
  const auto out = runner.filled("out", std::vector<std::uint64_t>(32 * 4), Access::output);
  struct Block {
    alignas(8) std::uint8_t bytes[64];
  } argument;
  std::memcpy(argument.bytes, block.data(), 64);
  runner.run({1}, {32}, Arguments().add(out->address()).add(argument));
  const auto found = contents<std::uint64_t>(*out);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned k = 0; k < shape.count; ++k)
      ASSERT_EQ(found[lane * 4 + k], loaded(shape, &block[16 + k * shape.bits / 8])) << shape.suffix();
}

TEST(MemoryOf, ParameterLoads) {
  for (const AccessShape& shape : access_shapes())
    for_every_simd_target([&] { expect_parameter_load(shape); });
}

// A struct parameter by a computed offset: each lane reads its own element.
void expect_indexed_parameter_load(const AccessShape& shape, bool guarded) {
  const std::vector<std::uint8_t> block = random_bytes(512);
  std::string body = fmt::format(
      ".reg .b64 %out, %i, %at; .reg .b32 %lane, %t; .reg .b{} %x<4>; .reg .pred %off;\n"
      "mov.u32 %lane, %laneid; mov.u32 %t, {}; shr.u32 %t, %t, %lane; and.b32 %t, %t, 1; setp.ne.u32 %off, "
      "%t, 0;\n"
      "xor.b32 %t, %lane, 21; mul.wide.u32 %i, %t, {}; mov.b64 %at, block; add.u64 %at, %at, %i;\n",
      shape.register_bits, lanes_off, shape.bytes());
  for (unsigned k = 0; k < 4; ++k) body += fmt::format("mov.b{} %x{}, {};\n", shape.register_bits, k, kept);
  body +=
      fmt::format("{}ld.param.{} {}, [%at];\n", guarded ? "@!%off " : "", shape.suffix(), shape.registers());
  body += "ld.param.u64 %out, [out]; mul.wide.u32 %i, %lane, 32; add.u64 %out, %out, %i;\n";
  for (unsigned k = 0; k < shape.count; ++k)
    body += fmt::format("st.global.b{} [%out+{}], %x{};\n", shape.register_bits, 8 * k, k);
  KernelRunner runner(".param .u64 out, .param .align 8 .b8 block[512]", body + "ret;");
  const auto out = runner.filled("out", std::vector<std::uint64_t>(32 * 4), Access::output);
  struct Block {
    alignas(8) std::uint8_t bytes[512];
  } argument;
  std::memcpy(argument.bytes, block.data(), 512);
  runner.run({1}, {32}, Arguments().add(out->address()).add(argument));
  const auto found = contents<std::uint64_t>(*out);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned k = 0; k < shape.count; ++k)
      ASSERT_EQ(found[lane * 4 + k],
                is_off(lane, guarded)
                    ? kept
                    : loaded(shape, &block[(lane ^ 21) * shape.bytes() + k * shape.bits / 8]))
          << shape.suffix() << ", lane " << lane;
}

TEST(MemoryOf, ParameterLoadsByARegister) {
  for (const AccessShape& shape : access_shapes())
    for (const bool guarded : {false, true})
      for_every_simd_target([&] { expect_indexed_parameter_load(shape, guarded); });
}

TEST(MemoryOf, AParameterLoadOutsideIsAFault) {
  KernelRunner runner(".param .align 4 .b8 block[8]",
                      ".reg .b64 %at, %i; .reg .b32 %x; mov.u32 %x, %laneid; mul.wide.u32 %i, %x, 4;\n"
                      "mov.b64 %at, block; add.u64 %at, %at, %i; ld.param.u32 %x, [%at]; ret;");
  try {
    runner.run({1}, {32}, Arguments().add(std::uint64_t{0}));
    FAIL() << "no fault";
  } catch (const Fault& fault) {
    EXPECT_NE(std::string(fault.what()).find("lane 2: read of 4 bytes at offset 8 of 8 bytes of parameters"),
              std::string::npos)
        << fault.what();
  }
}

TEST(MemoryOf, CacheHintsChangeNothing) {
  for (const char* mnemonic :
       {"ld.global.nc.u32", "ld.global.cs.u32", "ld.global.ca.u32", "ld.global.nc.L1::no_allocate.u32",
        "ld.global.L2::128B.u32", "ld.volatile.global.u32"}) {
    KernelRunner runner(".param .u64 in, .param .u64 out",
                        fmt::format(".reg .b64 %in, %out; .reg .b32 %x;\n"
                                    "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
                                    "{} %x, [%in]; st.global.wt.u32 [%out], %x; ret;",
                                    mnemonic));
    const auto in = runner.input<std::uint32_t>({0xABCD1234});
    const auto out = runner.output<std::uint32_t>(1);
    runner.run({1}, {1}, Arguments().add(in->address()).add(out->address()));
    EXPECT_EQ(contents<std::uint32_t>(*out)[0], 0xABCD1234) << mnemonic;
  }
}

// The destination of a load may be the register of its address.
TEST(MemoryOf, AVectorLoadIntoItsAddressRegister) {
  KernelRunner runner(".param .u64 out",
                      ".reg .b64 %out, %i; .reg .b32 %a, %b, %lane; .shared .align 8 .b8 s[256];\n"
                      "mov.u32 %lane, %laneid; mov.u64 %i, s; cvt.u32.u64 %a, %i; shl.b32 %b, %lane, 3;\n"
                      "add.u32 %a, %a, %b; add.u32 %b, %lane, 50; st.shared.v2.u32 [%a], {%lane, %b};\n"
                      "ld.shared.v2.u32 {%a, %b}, [%a];\n"
                      "ld.param.u64 %out, [out]; mul.wide.u32 %i, %lane, 8; add.u64 %out, %out, %i;\n"
                      "st.global.v2.u32 [%out], {%a, %b}; ret;");
  const auto out = runner.output<std::uint32_t>(64);
  runner.run({1}, {32}, Arguments().add(out->address()));
  const auto found = contents<std::uint32_t>(*out);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(found[2 * lane], lane);
    EXPECT_EQ(found[2 * lane + 1], lane + 50);
  }
}

}  // namespace
}  // namespace quadpair::device
