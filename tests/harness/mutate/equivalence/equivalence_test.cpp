// What is proved of small kernels, and what must not be.
#include "harness/mutate/equivalence/equivalence.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/device/emulator/ptx/parser.hpp"
#include "harness/device/emulator/ptx/replacement.hpp"

namespace quadpair::mutate {
namespace {

/// A kernel of 64 threads that stores %r9 of its body.
ptx::Entry kernel(const std::string& body) {
  return ptx::parse(fmt::format(".version 8.0\n.target sm_70\n.address_size 64\n"
                                ".visible .entry k(.param .u64 out, .param .u32 n) .maxntid 64, 1, 1\n{{\n"
                                ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<9>;\n"
                                "ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
                                "{}\nst.global.u32 [%rd1], %r9;\nret;\n}}\n",
                                body),
                    "k")
      .entries.at(0);
}

/// Of `text` in the place of the first instruction that is `before`; empty: left out.
std::optional<Proof> proof(const std::string& body, std::string_view before, std::string_view text) {
  const ptx::Entry entry = kernel(body);
  const Facts facts(entry, anything(entry));
  Equivalence equivalence(entry, facts);
  for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
    if (entry.instructions[i].text != before) continue;
    if (text.empty()) return equivalence.proof(i, nullptr);
    const ptx::Instruction damaged = ptx::Replacements(entry).read(text, entry.instructions[i]);
    return equivalence.proof(i, &damaged);
  }
  ADD_FAILURE() << before << " is not in the kernel";
  return std::nullopt;
}

TEST(Equivalence, OfBitsThatNeverMeet) {
  const std::string body = "shl.b32 %r3, %r1, 8; or.b32 %r9, %r3, %r2;";  // below 64
  EXPECT_EQ(proof(body, "or.b32 %r9, %r3, %r2", "xor.b32 %r9, %r3, %r2"), Proof::same_bits);
  EXPECT_EQ(proof(body, "or.b32 %r9, %r3, %r2", "and.b32 %r9, %r3, %r2"), std::nullopt);
  EXPECT_EQ(
      proof("shl.b32 %r3, %r1, 5; or.b32 %r9, %r3, %r2;", "or.b32 %r9, %r3, %r2", "xor.b32 %r9, %r3, %r2"),
      std::nullopt);  // bit 5 is in both
  EXPECT_EQ(proof("and.b32 %r9, %r2, 63;", "and.b32 %r9, %r2, 63", "and.b32 %r9, %r2, 127"),
            Proof::same_bits);
  EXPECT_EQ(proof("and.b32 %r9, %r2, 63;", "and.b32 %r9, %r2, 63", "and.b32 %r9, %r2, 62"), std::nullopt);
}

TEST(Equivalence, OfTestsThatSayTheSame) {
  const std::string body = "setp.lt.u32 %p1, %r2, 32; selp.b32 %r9, 1, 2, %p1;";
  const auto of = [&](const std::string& text) { return proof(body, "setp.lt.u32 %p1, %r2, 32", text); };
  EXPECT_EQ(of("setp.lt.s32 %p1, %r2, 32"), Proof::same_test);
  EXPECT_EQ(of("setp.le.u32 %p1, %r2, 31"), Proof::same_test);
  EXPECT_EQ(of("setp.gt.u32 %p1, 32, %r2"), Proof::same_test);
  EXPECT_EQ(of("setp.le.u32 %p1, %r2, 32"), std::nullopt);
  EXPECT_EQ(of("setp.lt.u32 %p1, %r1, 32"), std::nullopt);
  const std::string unknown = "setp.lt.u32 %p1, %r1, 32; selp.b32 %r9, 1, 2, %p1;";
  EXPECT_EQ(proof(unknown, "setp.lt.u32 %p1, %r1, 32", "setp.lt.s32 %p1, %r1, 32"), std::nullopt);
}

TEST(Equivalence, WhereNoBranchLeads) {
  const std::string body =
      "mov.u32 %r9, 1; setp.gt.u32 %p1, %r2, 63; @%p1 bra $never; bra.uni $end;\n"
      "$never: mov.u32 %r9, 2; $end: add.s32 %r9, %r9, 5;";
  EXPECT_EQ(proof(body, "mov.u32 %r9, 2", "mov.u32 %r9, 3"), Proof::unreached);
  EXPECT_EQ(proof(body, "mov.u32 %r9, 2", ""), Proof::unreached);
  EXPECT_EQ(proof(body, "@%p1 bra $never", ""), Proof::same_guard);
  EXPECT_EQ(proof(body, "@%p1 bra $never", "@!%p1 bra $never"), std::nullopt);
  EXPECT_EQ(proof(body, "mov.u32 %r9, 1", "mov.u32 %r9, 3"), std::nullopt);
  EXPECT_EQ(proof(body, "add.s32 %r9, %r9, 5", "add.s32 %r9, 1, 5"), Proof::same_bits);
}

TEST(Equivalence, RoundALoop) {
  // %r3 is 0, 8, ..., 56 in the body.
  const std::string body =
      "mov.u32 %r9, 0; mov.u32 %r3, 0;\n$loop: or.b32 %r4, %r3, 5; add.s32 %r9, %r9, %r4; add.s32 %r3, %r3, "
      "8;\n"
      "setp.lt.u32 %p1, %r3, 64; @%p1 bra $loop;";
  EXPECT_EQ(proof(body, "or.b32 %r4, %r3, 5", "add.s32 %r4, %r3, 5"), Proof::same_bits);
  EXPECT_EQ(proof(body, "or.b32 %r4, %r3, 5", "or.b32 %r4, %r3, 13"), std::nullopt);
  EXPECT_EQ(proof(body, "setp.lt.u32 %p1, %r3, 64", "setp.lt.s32 %p1, %r3, 64"), Proof::same_test);
  EXPECT_EQ(proof(body, "setp.lt.u32 %p1, %r3, 64", "setp.lt.u32 %p1, %r3, 56"), std::nullopt);
  EXPECT_EQ(proof(body, "mov.u32 %r9, 0", "mov.u32 %r9, %r3"), std::nullopt);  // %r3 was not written yet
}

TEST(Equivalence, OfWhatOnlyALoopThatRunsOnceWouldRead) {
  const std::string body =
      "mov.u32 %r3, %r2;\n$loop: shr.u32 %r4, %r3, 6; add.s32 %r9, %r1, %r4; add.s32 %r3, %r3, 64;\n"
      "setp.lt.u32 %p1, %r3, 64; @%p1 bra $loop;";
  EXPECT_EQ(proof(body, "add.s32 %r9, %r1, %r4", "sub.s32 %r9, %r1, %r4"), Proof::same_bits);
  EXPECT_EQ(proof(body, "add.s32 %r3, %r3, 64", "add.s32 %r3, %r3, 65"), std::nullopt);  // decides the branch
  const std::string again =
      "mov.u32 %r3, %r2; mov.u32 %r9, 0;\n$loop: add.s32 %r9, %r9, %r3; add.s32 %r5, %r2, 64; add.s32 %r3, "
      "%r3, 1;\n"
      "setp.lt.u32 %p1, %r5, 64; @%p1 bra $loop;";
  EXPECT_EQ(proof(again, "add.s32 %r3, %r3, 1", "add.s32 %r3, %r3, 2"), Proof::unneeded);
  EXPECT_EQ(proof(again, "add.s32 %r9, %r9, %r3", "add.s32 %r9, %r9, %r2"), Proof::same_bits);
  EXPECT_EQ(proof(again, "add.s32 %r9, %r9, %r3", "add.s32 %r9, %r9, %r1"), std::nullopt);
}

TEST(Equivalence, OfSourcesSignsAndResultsThatNobodyReads) {
  const std::string zeros =
      "mov.u32 %r3, 0; mov.u32 %r4, 0; add.s32 %r5, %r1, %r3; mov.u32 %r9, %r5; st.global.u32 [%rd1+4], %r3;";
  EXPECT_EQ(proof(zeros, "add.s32 %r5, %r1, %r3", "add.s32 %r5, %r1, %r4"), Proof::same_bits);
  EXPECT_EQ(proof(zeros, "st.global.u32 [%rd1+4], %r3", "st.global.u32 [%rd1+4], %r4"), Proof::same_source);
  EXPECT_EQ(proof(zeros, "st.global.u32 [%rd1+4], %r3", "st.global.u32 [%rd1+4], %r5"), std::nullopt);
  EXPECT_EQ(proof(zeros, "st.global.u32 [%rd1+4], %r3", "st.global.u32 [%rd1+8], %r4"), std::nullopt);
  const std::string wide =
      "mul.wide.u32 %rd2, %r2, 8; mul.wide.u32 %rd3, %r1, 8; add.s64 %rd4, %rd2, %rd3; cvt.u32.u64 %r9, "
      "%rd4;";
  EXPECT_EQ(proof(wide, "mul.wide.u32 %rd2, %r2, 8", "mul.wide.s32 %rd2, %r2, 8"), Proof::same_sign);
  EXPECT_EQ(proof(wide, "mul.wide.u32 %rd3, %r1, 8", "mul.wide.s32 %rd3, %r1, 8"), std::nullopt);
  const std::string dead = "mov.u32 %r9, %r1; add.s32 %r5, %r1, 3; add.s32 %r6, %r5, 1;";
  EXPECT_EQ(proof(dead, "add.s32 %r5, %r1, 3", "sub.s32 %r5, %r1, 3"), Proof::unneeded);
  EXPECT_EQ(proof(dead, "mov.u32 %r9, %r1", "mov.u32 %r9, %r2"), std::nullopt);
}

TEST(Equivalence, OfASpecialRegisterReadTwice) {
  const std::string body =
      "setp.gt.u32 %p1, %r2, 31; @%p1 bra $end; mov.u32 %r3, %tid.x; shr.u32 %r4, %r3, 5; add.s32 %r9, %r1, "
      "%r4;"
      " add.s32 %r9, %r9, %r3; $end: mov.u32 %r5, %tid.x;";
  EXPECT_EQ(proof(body, "shr.u32 %r4, %r3, 5", "shr.u32 %r4, %r3, 6"), Proof::same_bits);  // below 32 here
  EXPECT_EQ(proof(body, "shr.u32 %r4, %r3, 5", "shr.u32 %r4, %r3, 4"), std::nullopt);
  EXPECT_EQ(proof(body, "add.s32 %r9, %r9, %r3", "add.s32 %r9, %r9, %r2"), Proof::same_source);
  EXPECT_EQ(proof("mov.u32 %r3, %tid.x; mov.u32 %r9, %r3;", "mov.u32 %r9, %r3", "mov.u32 %r9, %r2"),
            Proof::same_bits);
  EXPECT_EQ(proof("mov.u32 %r3, %ctaid.x; mov.u32 %r9, %r3;", "mov.u32 %r9, %r3", "mov.u32 %r9, %r2"),
            std::nullopt);
  EXPECT_EQ(proof("mov.u32 %r9, %tid.x; st.global.u32 [%rd1+4], %r9;", "st.global.u32 [%rd1+4], %r9",
                  "st.global.u32 [%rd1+4], %r2"),
            Proof::same_source);
}

/// h(x + 1) of an FP16 x, and what may be done to the 1.
TEST(Equivalence, OfAllHalves) {
  const std::string body =
      ".reg .b16 %h<9>; .reg .f32 %f<9>; cvt.u16.u32 %h1, %r1; cvt.f32.f16 %f1, %h1; mov.f32 %f2, 0f3F800000;"
      "add.rn.f32 %f3, %f1, %f2; cvt.rn.f16.f32 %h2, %f3; ";
  const std::string stored = body + "cvt.u32.u16 %r9, %h2;";
  // 1 and 2^-23 more: no sum of FP16 numbers and 1 lies so near a midpoint of two that it matters, but those
  // that lie on one.
  EXPECT_EQ(proof(stored, "mov.f32 %f2, 0f3F800000", "mov.f32 %f2, 0f3F800001"), std::nullopt);
  EXPECT_EQ(proof(stored, "mov.f32 %f2, 0f3F800000", "mov.f32 %f2, 0fBF800000"), std::nullopt);
  const std::string clamped =
      body +
      "min.f32 %f4, %f1, %f2; add.rn.f32 %f5, %f4, %f4; cvt.rn.f16.f32 %h3, %f5; cvt.u32.u16 %r9, %h3;";
  EXPECT_EQ(proof(clamped, "min.f32 %f4, %f1, %f2", "min.f32 %f4, %f2, %f1"), Proof::same_function);
  EXPECT_EQ(proof(clamped, "min.f32 %f4, %f1, %f2", "max.f32 %f4, %f1, %f2"), std::nullopt);
  const std::string twice =
      clamped + " cvt.rn.f16.f32 %h4, %f4; cvt.u32.u16 %r4, %h4; add.s32 %r9, %r9, %r4;";
  EXPECT_EQ(proof(twice, "min.f32 %f4, %f1, %f2", "min.f32 %f4, %f2, %f1"), Proof::same_function);
  EXPECT_EQ(proof(twice, "min.f32 %f4, %f1, %f2", "max.f32 %f4, %f1, %f2"), std::nullopt);
  // The sum is stored as it is, or it depends on two numbers: nothing is proved.
  const std::string used = clamped + " mov.b32 %r9, %f4;";
  EXPECT_EQ(proof(used, "min.f32 %f4, %f1, %f2", "min.f32 %f4, %f2, %f1"), std::nullopt);
  const std::string two =
      ".reg .b16 %h<9>; .reg .f32 %f<9>; cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2; cvt.f32.f16 %f1, %h1;"
      "cvt.f32.f16 %f2, %h2; min.f32 %f4, %f1, %f2; cvt.rn.f16.f32 %h3, %f4; cvt.u32.u16 %r9, %h3;";
  EXPECT_EQ(proof(two, "min.f32 %f4, %f1, %f2", "min.f32 %f4, %f2, %f1"), std::nullopt);
}

TEST(Equivalence, OfArguments) {
  const std::string body = "ld.param.u32 %r3, [n]; add.s32 %r9, %r2, %r3;";
  EXPECT_EQ(proof(body, "add.s32 %r9, %r2, %r3", "add.s32 %r9, %r2, %r1"), Proof::same_source);
  EXPECT_EQ(proof(body, "ld.param.u32 %r3, [n]", "ld.param.s32 %r3, [n]"), Proof::same_bits);
  EXPECT_EQ(proof(body, "ld.param.u32 %r3, [n]", "ld.param.u32 %r3, [out]"), std::nullopt);
  EXPECT_EQ(proof(body, "ld.param.u32 %r3, [n]", "ld.param.u32 %r3, [n+-4]"), std::nullopt);
}

}  // namespace
}  // namespace quadpair::mutate
