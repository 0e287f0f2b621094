// mov in all its forms, cvta, special registers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/device/opcodes/kernel_runner.hpp"
#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

TEST(Mov, RegistersAndConstants) {
  const auto first = [](const Values& v) { return v[0]; };
  for (const char letter : {'b', 'u', 's', 'f'}) {
    if (letter != 'f')
      expect_results(fmt::format("mov.{}16 %d, %a;", letter), "hh", integer_cases({16}), first);
    expect_results(fmt::format("mov.{}32 %d, %a;", letter), "rr", integer_cases({32}), first);
    expect_results(fmt::format("mov.{}64 %d, %a;", letter), "dd", integer_cases({64}), first);
  }
  const std::vector<Values> one = {{}};
  expect_results("mov.u16 %d, -2;", "h", one, [](const Values&) { return 0xFFFEu; });
  expect_results("mov.u32 %d, -1;", "r", one, [](const Values&) { return 0xFFFFFFFFu; });
  expect_results("mov.u64 %d, -1;", "d", one, [](const Values&) { return ~std::uint64_t{0}; });
  expect_results("mov.f32 %d, 0f3F800000;", "r", one, [](const Values&) { return 0x3F800000u; });
  expect_results("mov.f64 %d, 0d3FF0000000000000;", "d", one,
                 [](const Values&) { return 0x3FF0000000000000u; });
}

TEST(Mov, PacksAndUnpacks) {
  std::vector<Values> cases;
  add_random(cases, 100, {64, 64, 64, 64});
  for (Values& one : cases)
    for (std::uint64_t& value : one) value = low_bits(value, 16);
  expect_results("mov.b32 %d, {%a, %b};", "rhh", cases, [](const Values& v) { return v[0] | v[1] << 16; });
  expect_results("mov.b32 %d, {%a, %a};", "rh", cases, [](const Values& v) { return v[0] | v[0] << 16; });
  expect_results("mov.b64 %d, {%a, %b, %c, %e};", "dhhhh", cases,
                 [](const Values& v) { return v[0] | v[1] << 16 | v[2] << 32 | v[3] << 48; });
  expect_results("mov.b64 %d, {%a, %b};", "drr", cases, [](const Values& v) { return v[0] | v[1] << 32; });
  std::vector<Values> wide;
  add_random(wide, 100, {64});
  // The other half goes to a source register that is not read again.
  expect_results("mov.b64 {%d, %b}, %a;", "rdr", wide, [](const Values& v) { return low_bits(v[0], 32); });
  expect_results("mov.b64 {%b, %d}, %a;", "rdr", wide, [](const Values& v) { return v[0] >> 32; });
  for (Values& one : wide) one[0] = low_bits(one[0], 32);
  expect_results("mov.b32 {%d, %b}, %a;", "hrh", wide, [](const Values& v) { return low_bits(v[0], 16); });
  expect_results("mov.b32 {%b, %d}, %a;", "hrh", wide, [](const Values& v) { return v[0] >> 16; });
}

TEST(Cvta, GlobalAddressesAreGenericOnes) {
  std::vector<Values> cases;
  add_random(cases, 64, {48});
  expect_results("cvta.to.global.u64 %d, %a;", "dd", cases, [](const Values& v) { return v[0]; });
  expect_results("cvta.global.u64 %d, %a;", "dd", cases, [](const Values& v) { return v[0]; });
}

// A generic address of shared memory goes back to the same offset.
TEST(Cvta, SharedAddressesGoThereAndBack) {
  KernelRunner runner(
      ".param .u64 out",
      ".reg .b64 %out, %a, %b; .shared .align 4 .b8 first[8]; .shared .align 4 .b8 second[8];\n"
      "mov.u64 %a, second; cvta.shared.u64 %b, %a; cvta.to.shared.u64 %b, %b; sub.u64 %b, %b, %a;\n"
      "ld.param.u64 %out, [out]; st.global.u64 [%out], %b; st.global.u64 [%out+8], %a; ret;");
  const auto out = runner.output<std::uint64_t>(2);
  runner.run({1}, {1}, Arguments().add(out->address()));
  EXPECT_EQ(contents<std::uint64_t>(*out), (std::vector<std::uint64_t>{0, 8}));
}

/// The value of a special register in every thread, in the order of blocks and threads.
std::vector<std::uint32_t> special(const std::string& name, Dim3 grid, Dim3 block) {
  std::vector<std::uint32_t> results;
  for_every_simd_target([&] {
    KernelRunner runner(
        ".param .u64 out",
        fmt::format(".reg .b64 %out, %i; .reg .b32 %x, %y, %z, %n, %t;\n"
                    "mov.u32 %x, %ctaid.x; mov.u32 %y, %ctaid.y; mov.u32 %z, %ctaid.z;\n"
                    "mov.u32 %n, %nctaid.y; mad.lo.u32 %y, %z, %n, %y; mov.u32 %n, %nctaid.x; mad.lo.u32 %t, "
                    "%y, %n, %x;\n"
                    "mov.u32 %z, %tid.z; mov.u32 %n, %ntid.z; mad.lo.u32 %t, %t, %n, %z;\n"
                    "mov.u32 %y, %tid.y; mov.u32 %n, %ntid.y; mad.lo.u32 %t, %t, %n, %y;\n"
                    "mov.u32 %x, %tid.x; mov.u32 %n, %ntid.x; mad.lo.u32 %t, %t, %n, %x;\n"
                    "ld.param.u64 %out, [out]; mul.wide.u32 %i, %t, 4; add.u64 %out, %out, %i;\n"
                    "mov.u32 %x, {}; st.global.u32 [%out], %x; ret;",
                    name));
    const std::size_t threads = std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
    const auto out = runner.output<std::uint32_t>(threads);
    runner.run(grid, block, Arguments().add(out->address()));
    const auto found = contents<std::uint32_t>(*out);
    EXPECT_TRUE(results.empty() || found == results);
    results = found;
  });
  return results;
}

TEST(SpecialRegisters, InEveryThreadOfAGrid) {
  const Dim3 grid{3, 2, 2}, block{5, 4, 3};  // 60 threads: a full warp and one of 28
  struct Place {
    Dim3 thread, block;
    std::uint32_t linear;
  };
  const auto expect = [&](const std::string& name,
                          const std::function<std::uint32_t(const Place&)>& expected) {
    const std::vector<std::uint32_t> found = special(name, grid, block);
    std::size_t i = 0;
    Place p{};
    for (p.block.z = 0; p.block.z < grid.z; ++p.block.z)
      for (p.block.y = 0; p.block.y < grid.y; ++p.block.y)
        for (p.block.x = 0; p.block.x < grid.x; ++p.block.x) {
          p.linear = 0;
          for (p.thread.z = 0; p.thread.z < block.z; ++p.thread.z)
            for (p.thread.y = 0; p.thread.y < block.y; ++p.thread.y)
              for (p.thread.x = 0; p.thread.x < block.x; ++p.thread.x, ++p.linear)
                ASSERT_EQ(found[i++], expected(p)) << name << " of thread " << p.linear;
        }
  };
  expect("%tid.x", [](const Place& p) { return p.thread.x; });
  expect("%tid.y", [](const Place& p) { return p.thread.y; });
  expect("%tid.z", [](const Place& p) { return p.thread.z; });
  expect("%ctaid.x", [](const Place& p) { return p.block.x; });
  expect("%ctaid.y", [](const Place& p) { return p.block.y; });
  expect("%ctaid.z", [](const Place& p) { return p.block.z; });
  expect("%ntid.x", [](const Place&) { return 5; });
  expect("%ntid.y", [](const Place&) { return 4; });
  expect("%ntid.z", [](const Place&) { return 3; });
  expect("%nctaid.x", [](const Place&) { return 3; });
  expect("%nctaid.y", [](const Place&) { return 2; });
  expect("%nctaid.z", [](const Place&) { return 2; });
  expect("%laneid", [](const Place& p) { return p.linear % 32; });
  expect("%warpid", [](const Place& p) { return p.linear / 32; });
  expect("%nwarpid", [](const Place&) { return 2; });
  const auto below = [](const Place& p) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << p.linear % 32) - 1);
  };
  expect("%lanemask_eq", [&](const Place& p) { return below(p) + 1; });
  expect("%lanemask_lt", below);
  expect("%lanemask_le", [&](const Place& p) { return below(p) | (below(p) + 1); });
  expect("%lanemask_ge", [&](const Place& p) { return ~below(p); });
  expect("%lanemask_gt", [&](const Place& p) { return ~below(p) & ~(below(p) + 1); });
}

}  // namespace
}  // namespace quadpair::device
