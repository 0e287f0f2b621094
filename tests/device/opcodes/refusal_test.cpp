// What the emulator refuses when a module is loaded, by module, line and text.
#include <gmock/gmock.h>

#include <string>

#include "tests/device/opcodes/kernel_runner.hpp"

namespace quadpair::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The message of the fault that a kernel of that body throws; it is never executed.
std::string refusal(const std::string& body) {
  KernelRunner runner(
      ".param .u64 out",
      ".reg .pred %p, %q; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %d<4>;\nret;\n" + body + "\nret;");
  const auto out = runner.output<std::uint32_t>(1);
  try {
    runner.run({1}, {32}, Arguments().add(out->address()));
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "accepted";
}

class Refused : public testing::TestWithParam<const char*> {};

// Line 8: three of the module's header, the entry, its brace, registers, ret.
TEST_P(Refused, NamesModuleLineAndText) {
  const std::string text = GetParam();
  EXPECT_THAT(refusal(text), AllOf(HasSubstr("test/kernel"), HasSubstr("line 8"),
                                   HasSubstr(text.substr(0, text.size() - 1))));
}

INSTANTIATE_TEST_SUITE_P(
    Instructions, Refused,
    testing::Values(
        "ex2.approx.f32 %r0, %r1;", "rcp.approx.ftz.f32 %r0, %r1;", "div.full.f32 %r0, %r1, %r2;",
        "sin.approx.f32 %r0, %r1;", "rsqrt.approx.f32 %r0, %r1;", "tanh.approx.f16 %h0, %h1;",
        "add.ftz.f32 %r0, %r1, %r2;", "fma.rn.sat.f32 %r0, %r1, %r2, %r3;", "add.sat.f16 %h0, %h1, %h2;",
        "add.sat.s32 %r0, %r1, %r2;", "cvt.sat.u8.s32 %h0, %r1;", "add.rz.f32 %r0, %r1, %r2;",
        "min.xorsign.abs.f16 %h0, %h1, %h2;", "frobnicate.u32 %r0, %r1;", "add.u24 %r0, %r1, %r2;",
        "ld.global.u33 %r0, [%d0];", "ld.const.u32 %r0, [%d0];", "ld.global.v8.u32 {%r0, %r1}, [%d0];",
        "atom.global.add.u32 %r0, [%d0], %r1;", "red.global.add.u32 [%d0], %r1;",
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
        "mov.u32 %r0, %clock;", "mov.u32 %r0, %smid;", "prmt.b32.f4e %r0, %r1, %r2, %r3;",
        "shfl.bfly.b32 %r0, %r1, 1, 31;", "bar.red.popc.u32 %r0, 0, %p;",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%d0], [%d1], 16, [%d2];",
        "cp.async.mbarrier.arrive.b64 [%d0];", "cp.async.cg.shared.global [%r0], [%d0], 8;",
        "cp.async.ca.shared.global [%r0], [%d0], 12;",
        "cp.async.cg.shared.global.L2::cache_hint [%r0], [%d0], 16, %d1;",
        "cp.async.ca.shared.global [%r0], [%r1], 16;", "cp.async.wait_group %r0;",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b8 {%r0, %r1, %r2, %r3}, [%r4];"));

TEST(RefusedOperands, OfTheWrongWidthOrNumber) {
  for (const char* text :
       {"add.s32 %r0, %r1;", "add.s32 %d0, %r1, %r2;", "add.s32 %r0, %h1, %r2;", "add.s32 5, %r1, %r2;",
        "setp.lt.s32 %r0, %r1, %r2;", "ld.global.u32 %h0, [%d0];", "ld.global.u32 %r0, [%r1];",
        "ld.global.v2.u32 %r0, [%d0];", "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [%r1];",
        "cp.async.cg.shared.global [%r0], [%d0], 16, %d1;", "st.param.u32 [%d0], %r0;",
        "ld.global.v2.s8 {%h0, %h1}, [%d0];", "selp.u32 %r0, %r1, %r2, %r3;",
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r0}, {%r1, %r2}, {%r3, %r4}, {%r0};"})
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("test/kernel"), HasSubstr("line 8"))) << text;
}

TEST(RefusedModules, ParserErrorsAreFaultsToo) {
  EXPECT_THAT(refusal("add.s32 %r99, %r1, %r2;"),
              HasSubstr("test/kernel.sm70:8: unknown register, near '%r99"));
}

TEST(RefusedModules, AnEntryThatIsNotThere) {
  KernelRunner runner(".version 8.7\n.target sm_70\n.address_size 64\n.visible .entry other() { ret; }\n");
  EXPECT_THROW(runner.run({1}, {32}, Arguments()), Fault);
}

// sm_80 code is not what volta runs.
TEST(RefusedModules, ATargetThatTheModelDoesNotDefine) {
  KernelRunner runner(".version 8.7\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n",
                      Target::sm80);
  try {
    runner.run({1}, {32}, Arguments());
    FAIL() << "accepted";
  } catch (const Fault& fault) {
    EXPECT_THAT(fault.what(), AllOf(HasSubstr("sm80"), HasSubstr("volta")));
  }
}

}  // namespace
}  // namespace quadpair::device
