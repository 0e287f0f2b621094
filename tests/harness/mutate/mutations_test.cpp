// Each mutant is an entry with one instruction exchanged.
#include "harness/mutate/mutations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/mutate/instruction_text.hpp"

namespace quadpair::mutate {
namespace {

/// A kernel with an instruction of each sort.
constexpr std::string_view ptx = R"(.version 8.0
.target sm_70
.address_size 64
.visible .entry other(.param .u64 other_param_0)
{
	ret;
}
.visible .entry sample(.param .u64 sample_param_0)
{
	.reg .pred %p<3>;
	.reg .b32 %r<20>;
	.reg .f32 %f<20>;
	.reg .b64 %rd<4>;
	.loc	1 7 3
	ld.param.u64 %rd1, [sample_param_0];
	mov.u32 %r1, %tid.x;
	sub.s32 %r2, %r1, 5;
	setp.lt.u32 %p1, %r1, %r2;
	@%p1 bra $end;
	mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, {%r1, %r2}, {%r1, %r2}, {%f8, %f9, %f10, %f11, %f12, %f13, %f14, %f15};
	add.rn.f32 %f0, %f0, 0f3F800000;
	bar.sync 0;
	@!%p1 st.global.f32 [%rd1+4], %f0;
$end:
	ret;
}
	.file	1 "/quadpair/kernels/sample.cu"
)";

Module sample() {
  static constexpr KernelInfo kernels[] = {{"other", 1, 0, 0, 0}, {"sample", 1, 0, 0, 0}};
  Module module{};
  module.name = "sample";
  module.target = Target::sm70;
  module.ptx = ptx;
  module.kernels = kernels;
  return module;
}

std::set<std::string> texts(const EntryText& entry, Kind kind, const std::string& mnemonic) {
  std::set<std::string> found;
  for (const Mutation& m : mutations_of(entry))
    if (m.kind == kind && parts_of_instruction(entry.places()[m.place].text).mnemonic.starts_with(mnemonic))
      found.insert(m.text);
  return found;
}

TEST(EntryText, KeepsOneEntryAndWhereItsInstructionsStand) {
  const EntryText entry(sample(), "sample");
  EXPECT_EQ(entry.module().ptx.find("other"), std::string::npos);
  EXPECT_NE(entry.module().ptx_sha256, sample().ptx_sha256);
  ASSERT_EQ(entry.places().size(), 10u);
  EXPECT_EQ(entry.places()[2].text, "sub.s32 %r2, %r1, 5");
  EXPECT_EQ(entry.places()[2].ptx_line, 17u);  // of the whole module
  EXPECT_EQ(entry.places()[2].source, "kernels/sample.cu:7");
  EXPECT_THROW(EntryText(sample(), "third"), std::invalid_argument);
}

TEST(Mutations, OfEverySort) {
  const EntryText entry(sample(), "sample");
  using Texts = std::set<std::string>;
  EXPECT_EQ(texts(entry, Kind::operation, "sub"), Texts{"add.s32 %r2, %r1, 5"});
  EXPECT_EQ(texts(entry, Kind::operation, "setp").size(), 5u);
  EXPECT_EQ(texts(entry, Kind::rounding, "setp"), Texts{"setp.lt.s32 %p1, %r1, %r2"});
  EXPECT_EQ(texts(entry, Kind::constant, "sub"), (Texts{"sub.s32 %r2, %r1, 6", "sub.s32 %r2, %r1, 4"}));
  EXPECT_EQ(texts(entry, Kind::constant, "add"),
            (Texts{"add.rn.f32 %f0, %f0, 0f3F800001", "add.rn.f32 %f0, %f0, 0fBF800000"}));
  EXPECT_EQ(texts(entry, Kind::address, "st"),
            (Texts{"@!%p1 st.global.f32 [%rd1+8], %f0", "@!%p1 st.global.f32 [%rd1+0], %f0"}));
  EXPECT_EQ(texts(entry, Kind::guard, "bra"), (Texts{"@!%p1 bra $end", "bra $end"}));
  EXPECT_EQ(texts(entry, Kind::operands, "sub"), Texts{"sub.s32 %r2, 5, %r1"});
  EXPECT_EQ(texts(entry, Kind::reg, "setp"),
            (Texts{"setp.lt.u32 %p1, %r2, %r2", "setp.lt.u32 %p1, %r1, %r1"}));
  EXPECT_EQ(texts(entry, Kind::exchange, "mma").size(), 4u);  // d, a, b, c
  EXPECT_EQ(texts(entry, Kind::dropped, "bar"), Texts{""});
  EXPECT_EQ(texts(entry, Kind::dropped, "st"), Texts{""});
  const Texts dropped_step = texts(entry, Kind::dropped, "mma");
  ASSERT_EQ(dropped_step.size(), 1u);
  EXPECT_THAT(*dropped_step.begin(), testing::HasSubstr("{0, 0}, {%r1, %r2}"));
}

std::vector<std::string> texts_of(const ptx::Entry& entry) {
  std::vector<std::string> texts;
  for (const ptx::Instruction& i : entry.instructions) texts.push_back(i.text);
  return texts;
}

/// At most one instruction differs, in text.
void expect_one_difference(const EntryText& entry, DamagedEntry& damaged, const Mutation& m) {
  const std::vector<std::string> before = texts_of(entry.entry());
  std::vector<std::string> after = texts_of(damaged.with(m.place, m.text).entries.at(0));
  EXPECT_NE(before, after) << m.text;
  EXPECT_EQ(damaged.damaged() == nullptr, m.text.empty());
  if (m.text.empty()) after.insert(after.begin() + static_cast<std::ptrdiff_t>(m.place), before[m.place]);
  ASSERT_EQ(before.size(), after.size()) << m.text;
  after[m.place] = before[m.place];
  EXPECT_EQ(before, after) << m.text;
}

TEST(Mutations, DifferInOneInstruction) {
  std::set<Kind> seen;
  const auto check = [&](const Module& module, const std::string& name, std::size_t step) {
    const EntryText entry(module, name);
    DamagedEntry damaged(entry);
    const std::vector<Mutation> all = mutations_of(entry);
    for (std::size_t i = 0; i < all.size(); i += step) {
      seen.insert(all[i].kind);
      expect_one_difference(entry, damaged, all[i]);
    }
  };
  check(sample(), "sample", 1);
  check(find_module("qpn2/gemm", Target::sm70), "qpn2_gemm_s8_c2_r1", 41);
  check(find_module("qpn2/gated", Target::sm90), "qpn2_gated_s8_c2_r1_q2", 97);
  for (const Kind kind : all_kinds) EXPECT_TRUE(seen.contains(kind)) << to_string(kind);
}

}  // namespace
}  // namespace quadpair::mutate
