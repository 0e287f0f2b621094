// Kernels damaged in one place: the place must be found.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "tests/harness/run/explained.hpp"
#include "tests/kernels/damaged/damaged.hpp"

namespace quadpair::run {
namespace {

using damaged::Damage;
using damaged::Variant;
using testing::HasSubstr;
using testing::StartsWith;

/// The module's PTX with one entry's text edited.
class Edited {
 public:
  using Edit = std::function<void(std::string& entry)>;

  Edited(const std::string& name, Target target, const std::string& entry, const Edit& edit)
      : module_(quadpair::find_module(name, target)), ptx_(module_.ptx) {
    const std::size_t begin = ptx_.find(".entry " + entry + "("),
                      end = std::min(ptx_.find("\n.visible", begin), ptx_.size());
    if (begin == std::string::npos) throw std::logic_error("no entry " + entry);
    std::string text = ptx_.substr(begin, end - begin);
    edit(text);
    ptx_.replace(begin, end - begin, text);
    module_.ptx = ptx_;
  }

  ModuleLookup lookup() const {
    return [this](std::string_view name, Target target) -> const Module& {
      return name == module_.name && target == module_.target ? module_ : quadpair::find_module(name, target);
    };
  }

  /// 1-based line of the first text that matches after `from`.
  std::uint32_t line_of(const std::string& text) const {
    const std::size_t at = ptx_.find(text);
    return static_cast<std::uint32_t>(
        std::count(ptx_.begin(), ptx_.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1);
  }

 private:
  Module module_;
  std::string ptx_;
};

const std::string entry = "qpn2_gemm_s8_c2_r1";

/// A step of m8n8k4 as the PTX has it.
struct Mma {
  std::size_t begin = 0, size = 0;
  std::string d, a, b, c;

  std::string text() const {
    return "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {" + d + "}, {" + a + "}, {" + b + "}, {" + c +
           "};";
  }
};

std::vector<Mma> steps_of(const std::string& text) {
  static const RE2 pattern(
      R"((mma\.sync\.aligned\.m8n8k4\S+ \{([^}]*)\}, \{([^}]*)\}, \{([^}]*)\}, \{([^}]*)\};))");
  std::vector<Mma> all;
  re2::StringPiece rest(text), whole;
  Mma one;
  while (RE2::FindAndConsume(&rest, pattern, &whole, &one.d, &one.a, &one.b, &one.c)) {
    one.begin = static_cast<std::size_t>(whole.data() - text.data());
    one.size = whole.size();
    all.push_back(one);
  }
  return all;
}

/// The last four steps of the entry: those of one group, of chains 0, 1, 0, 1.
std::vector<Mma> last_group(const std::string& text) {
  std::vector<Mma> all = steps_of(text);
  return {all.end() - 4, all.end()};
}

TEST(Explain, ADroppedStepIsFound) {
  std::string second;
  const Edited edited("qpn2/gemm", Target::sm70, entry, [&](std::string& text) {
    const std::vector<Mma> group = last_group(text);
    second = group[3].text();
    // Chain 1 keeps what it had.
    std::string moves;
    re2::StringPiece to(group[1].d), from(group[1].c);
    std::string d, c;
    const RE2 reg(R"((%f\d+))");
    while (RE2::FindAndConsume(&to, reg, &d) && RE2::FindAndConsume(&from, reg, &c))
      moves += fmt::format("mov.f32 {}, {}; ", d, c);
    text.replace(group[1].begin, group[1].size, moves);
  });
  const Explanation e = explained(damaged_case(), 1, 5, edited.lookup());
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "order");
  EXPECT_EQ(e.difference->where, "sum, slice 0, chain 1, step 0");
  EXPECT_THAT(e.difference->what, HasSubstr("k 12 of x in place of row 1, k 4; k 4 is never summed"));
  EXPECT_EQ(e.difference->instruction.value().ptx_line, edited.line_of(second));
}

TEST(Explain, AnExchangedChainIsFound) {
  std::string first_of_chain_0;
  const Edited edited("qpn2/gemm", Target::sm70, entry, [&](std::string& text) {
    std::vector<Mma> group = last_group(text);
    std::swap(group[0].d, group[1].d);
    std::swap(group[0].c, group[1].c);
    first_of_chain_0 = group[1].text();
    text.replace(group[1].begin, group[1].size, group[1].text());
    text.replace(group[0].begin, group[0].size, group[0].text());
  });
  const Explanation e = explained(damaged_case(), 2, 70, edited.lookup());
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "order");
  EXPECT_EQ(e.difference->where, "sum, slice 0, chain 0, step 0");
  EXPECT_THAT(e.difference->what, HasSubstr("k 0 is summed in slice 0, chain 1, step 0"));
  EXPECT_EQ(e.difference->instruction.value().ptx_line, edited.line_of(first_of_chain_0));
}

TEST(Explain, AnotherOrderOfKIsFound) {
  std::string second_of_chain_1;
  const Edited edited("qpn2/gemm", Target::sm70, entry, [&](std::string& text) {
    std::vector<Mma> group = last_group(text);
    std::swap(group[1].a, group[3].a);
    std::swap(group[1].b, group[3].b);
    second_of_chain_1 = group[1].text();
    text.replace(group[3].begin, group[3].size, group[3].text());
    text.replace(group[1].begin, group[1].size, group[1].text());
  });
  const Explanation e = explained(damaged_case(), 0, 31, edited.lookup());
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "order");
  EXPECT_EQ(e.difference->where, "sum, slice 0, chain 1, step 0");
  EXPECT_THAT(e.difference->what, HasSubstr("k 4 is summed in slice 0, chain 1, step 1"));
  EXPECT_EQ(e.difference->instruction.value().ptx_line, edited.line_of(second_of_chain_1));
}

TEST(Explain, APartialSumReadFromAnotherSlicesPlaceIsFound) {
  std::string load;
  const Edited edited("qpn2/gemm", Target::sm70, entry, [&](std::string& text) {
    // Slice 3 lies 3 x 1024 bytes on; slice 2's place is read instead.
    std::string reg;
    ASSERT_TRUE(RE2::PartialMatch(text, R"((ld\.shared\.f32 \s*%f\d+, \[%rd\d+\+3072\];))", &reg));
    load = reg;
    RE2::Replace(&load, "3072", "2048");
    text.replace(text.find(reg), reg.size(), load);
  });
  const Explanation e = explained(damaged_case(), 0, 0, edited.lookup());
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "slices");
  EXPECT_EQ(e.difference->where, "sum, slice 3");
  EXPECT_THAT(e.difference->what, HasSubstr("slice 2 is added in place"));
  EXPECT_EQ(e.difference->instruction.value().ptx_line, edited.line_of(load));
}

TEST(Explain, AnElementThatIsNeverStoredIsNamed) {
  const Edited edited("qpn2/gemm", Target::sm70, entry,
                      [](std::string& text) { RE2::GlobalReplace(&text, R"(st\.global\.u16[^;]*;)", ""); });
  const Explanation e = explained(damaged_case(), 0, 0, edited.lookup());
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "not written");
  EXPECT_FALSE(e.actual);
}

TEST(Explain, AFaultIsToldBesideTheReference) {
  const Edited edited("qpn2/gemm", Target::sm70, entry, [](std::string& text) {
    RE2::GlobalReplace(&text, R"((st\.global\.u16\s+\[%rd\d+)\])", R"(\1+1000000])");
  });
  const Explanation e = explained(damaged_case(), 0, 0, edited.lookup());
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "fault");
  EXPECT_THAT(e.difference->what, HasSubstr("outside every buffer"));
  EXPECT_EQ(e.expected, by_gemm(damaged_case(), 0, 0));
}

/// By a module that was compiled with a damage.
Explanation with_damage(const Variant& variant, const std::string& target, const std::string& model,
                        std::uint32_t column) {
  const bool gated = variant.module == "qpn2/gated";
  const cases::Case c = gated ? case_of("qpn2_gated", "edge.gated_160", 5, target, model)
                              : case_of("qpn2_gemm", "edge.all_codes_2688", 3, target, model);
  return explained(c, 1, column, [variant](std::string_view name, Target wanted) -> const Module& {
    return damaged::find_module(variant, name, wanted);
  });
}

using Native = testing::TestWithParam<std::pair<std::string, std::string>>;

TEST_P(Native, ScalesOfAnotherGroupAreFoundAtTheirLoad) {
  const auto& [target, model] = GetParam();
  const Explanation e = with_damage({"qpn2/gemm", Damage::swapped_scales}, target, model, 5);
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "weight");
  // A native unit is four groups, so that of K = 256 the first of 8 slices has nothing.
  EXPECT_EQ(e.difference->where,
            target == "sm70" ? "sum, slice 0, chain 0, step 0" : "sum, slice 1, chain 0, step 0");
  EXPECT_THAT(e.difference->what, HasSubstr("its scale was read from qpn2_scales at offset "));
  EXPECT_THAT(e.difference->what, HasSubstr("which belongs to row 5, k 16-31"));
  EXPECT_THAT(e.difference->instruction.value().mnemonic, StartsWith("ld.global"));
}

TEST_P(Native, AWrongShiftIsFoundWhereCodesAreDecoded) {
  const auto& [target, model] = GetParam();
  const Explanation e = with_damage({"qpn2/gemm", Damage::wrong_shift}, target, model, 5);
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "weight");
  EXPECT_THAT(e.difference->instruction.value().source, StartsWith("kernels/common/e2m1.cuh:"));
  EXPECT_THAT(e.difference->made_by,
              testing::Contains(
                  testing::Field(&device::CodeLine::text, testing::ContainsRegex("^shr\\.u32 .*, 2$"))));
}

TEST_P(Native, APartialSumReadTooEarlyIsFound) {
  const auto& [target, model] = GetParam();
  const Explanation e = with_damage({"qpn2/gemm", Damage::dropped_barrier}, target, model, 5);
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "not written");
  EXPECT_THAT(e.difference->instruction.value().mnemonic, StartsWith("ld.shared"));
}

TEST_P(Native, GateAndUpExchangedAreFoundInTheEpilogue) {
  const auto& [target, model] = GetParam();
  const Explanation e = with_damage({"qpn2/gated", Damage::exchanged_halves}, target, model, 5);
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "epilogue");
  EXPECT_THAT(e.difference->what, HasSubstr("silu is taken of up"));
  EXPECT_EQ(e.difference->instruction.value().mnemonic, "cvt.f32.f16");
}

INSTANTIATE_TEST_SUITE_P(Targets, Native,
                         testing::Values(std::pair("sm70", "volta"), std::pair("sm80", "ampere"),
                                         std::pair("sm90", "hopper")),
                         [](const auto& param) { return param.param.first; });

TEST(Explain, WronglyPackedCodesAreToldFromAWrongKernel) {
  const Explanation e = with_damage({"convert/pack_qpn2", Damage::nibble_order}, "sm70", "volta", 5);
  ASSERT_TRUE(e.difference);
  EXPECT_EQ(e.difference->kind, "weight");
  EXPECT_THAT(e.difference->what, HasSubstr("of qpn2_codes stands "));
  EXPECT_THAT(e.difference->what, HasSubstr("it was packed so"));
}

}  // namespace
}  // namespace quadpair::run
