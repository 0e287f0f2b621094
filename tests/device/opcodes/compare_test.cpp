// setp and selp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <compare>

#include "tests/device/opcodes/float_reference.hpp"
#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

char class_of(unsigned width) {
  return width == 16 ? 'h' : width == 32 ? 'r' : 'd';
}

/// Whether a comparison holds for operands in that order.
bool holds(std::string_view comparison, std::partial_ordering order) {
  const bool less = order<0, equal = order == 0, greater = order> 0;
  const bool unordered = order == std::partial_ordering::unordered;
  if (comparison == "num") return !unordered;
  if (comparison == "nan") return unordered;
  if (comparison.size() == 3) return unordered || holds(comparison.substr(0, 2), order);
  if (comparison == "eq") return equal;
  if (comparison == "ne") return less || greater;
  if (comparison == "lt" || comparison == "lo") return less;
  if (comparison == "le" || comparison == "ls") return less || equal;
  if (comparison == "gt" || comparison == "hi") return greater;
  return greater || equal;  // ge, hs
}

std::partial_ordering order_of(char type, unsigned width, std::uint64_t a, std::uint64_t b) {
  if (type == 'f') {
    const FloatFormat& format = width == 16 ? half_format : single_format;
    return value_of(format, a) <=> value_of(format, b);
  }
  if (type == 's') return sign_extended(a, width) <=> sign_extended(b, width);
  return a <=> b;
}

std::vector<Values> comparison_cases(char type, unsigned width) {
  std::vector<Values> cases;
  if (type == 'f')
    for (std::uint64_t a : float_edges(width == 16 ? half_format : single_format))
      for (std::uint64_t b : float_edges(width == 16 ? half_format : single_format))
        cases.push_back({a, b, 0, 0});
  else
    cases = integer_cases({width, width});
  add_random(cases, 200, {width, width});
  return cases;
}

struct Comparisons {
  char type;
  unsigned width;
  std::vector<const char*> names;
};

const std::vector<const char*> of_signed = {"eq", "ne", "lt", "le", "gt", "ge"};
const std::vector<const char*> of_unsigned = {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};
const std::vector<const char*> of_floats = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                            "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

std::string name_of(const testing::TestParamInfo<Comparisons>& info) {
  return fmt::format("{}{}", info.param.type, info.param.width);
}

std::vector<Comparisons> with_constants() {
  return {{'s', 16, of_signed},    {'s', 32, of_signed},   {'s', 64, of_signed},    {'u', 16, of_unsigned},
          {'u', 32, of_unsigned},  {'u', 64, of_unsigned}, {'b', 16, {"eq", "ne"}}, {'b', 32, {"eq", "ne"}},
          {'b', 64, {"eq", "ne"}}, {'f', 32, of_floats}};
}

class Setp : public testing::TestWithParam<Comparisons> {};
class SetpConstant : public testing::TestWithParam<Comparisons> {};
INSTANTIATE_TEST_SUITE_P(Types, Setp, testing::ValuesIn(with_constants()), name_of);
INSTANTIATE_TEST_SUITE_P(Halves, Setp, testing::Values(Comparisons{'f', 16, of_floats}), name_of);
INSTANTIATE_TEST_SUITE_P(Types, SetpConstant, testing::ValuesIn(with_constants()), name_of);

TEST_P(Setp, EveryComparison) {
  const auto& [type, width, names] = GetParam();
  const std::vector<Values> cases = comparison_cases(type, width);
  for (const char* name : names)
    expect_results(fmt::format("setp.{}.{}{} %d, %a, %b;", name, type, width),
                   {'p', class_of(width), class_of(width)}, cases, [&, t = type, w = width](const Values& v) {
                     return std::uint64_t{holds(name, order_of(t, w, v[0], v[1]))};
                   });
}

TEST_P(SetpConstant, EveryComparison) {
  const auto& [type, width, names] = GetParam();
  for (const std::uint64_t b :
       {std::uint64_t{0}, std::uint64_t{0x3F800000}, low_bits(~std::uint64_t{0}, width)}) {
    std::vector<Values> cases = comparison_cases(type, width);
    for (Values& one : cases) one[1] = low_bits(b, width);
    const std::string constant = type == 'f'   ? fmt::format("0f{:08X}", b)
                                 : type == 's' ? std::to_string(sign_extended(b, width))
                                               : std::to_string(low_bits(b, width));
    for (const char* name : names)
      expect_results(fmt::format("setp.{}.{}{} %d, %a, {};", name, type, width, constant),
                     {'p', class_of(width)}, cases, [&, t = type, w = width](const Values& v) {
                       return std::uint64_t{holds(name, order_of(t, w, v[0], v[1]))};
                     });
  }
}

// p = (a < b) OP c, q = !(a < b) OP c
TEST(SetpCombined, WithAPredicateAndTwoDestinations) {
  std::vector<Values> cases = integer_cases({32, 32});
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i][2] = i / 3 % 2;
  const auto combined = [](int operation, bool x, bool c) {
    return std::uint64_t{operation == 0 ? x && c : operation == 1 ? x || c : x != c};
  };
  constexpr const char* operations[] = {"and", "or", "xor"};
  for (int operation = 0; operation < 3; ++operation)
    for (const bool negated : {false, true}) {
      const auto less = [](const Values& v) { return sign_extended(v[0], 32) < sign_extended(v[1], 32); };
      const auto c = [&](const Values& v) { return (v[2] != 0) != negated; };
      const std::string mnemonic = fmt::format("setp.lt.{}.s32", operations[operation]);
      const std::string sources = fmt::format("%a, %b, {}%c;", negated ? "!" : "");
      const auto first = [&](const Values& v) { return combined(operation, less(v), c(v)); };
      expect_results(fmt::format("{} %d, {}", mnemonic, sources), "prrp", cases, first);
      expect_results(fmt::format("{} %d|%e, {}", mnemonic, sources), "prrpp", cases, first);
      expect_results(fmt::format("{} %e|%d, {}", mnemonic, sources), "prrpp", cases,
                     [&](const Values& v) { return combined(operation, !less(v), c(v)); });
    }
}

TEST(Predicates, LogicAndMove) {
  std::vector<Values> cases;
  for (std::uint64_t i = 0; i < 64; ++i) cases.push_back({i & 1, i >> 1 & 1, 0, 0});
  expect_results("and.pred %d, %a, %b;", "ppp", cases, [](const Values& v) { return v[0] & v[1]; });
  expect_results("or.pred %d, %a, %b;", "ppp", cases, [](const Values& v) { return v[0] | v[1]; });
  expect_results("xor.pred %d, %a, %b;", "ppp", cases, [](const Values& v) { return v[0] ^ v[1]; });
  expect_results("not.pred %d, %a;", "pp", cases, [](const Values& v) { return v[0] ^ 1; });
  expect_results("mov.pred %d, %a;", "pp", cases, [](const Values& v) { return v[0]; });
}

TEST(Selp, EveryType) {
  for (const unsigned width : {16u, 32u, 64u})
    for (const char type : {'b', 'u', 's', 'f'}) {
      std::vector<Values> cases;
      add_random(cases, 200, {width, width, 1});
      expect_results(fmt::format("selp.{}{} %d, %a, %b, %c;", type, width),
                     {class_of(width), class_of(width), class_of(width), 'p'}, cases,
                     [](const Values& v) { return v[2] ? v[0] : v[1]; });
    }
  std::vector<Values> cases;
  add_random(cases, 64, {1});
  expect_results("selp.u32 %d, 1, 0, %a;", "rp", cases, [](const Values& v) { return v[0]; });
  expect_results("selp.f32 %d, 0f3F800000, 0fBF800000, %a;", "rp", cases,
                 [](const Values& v) { return v[0] ? 0x3F800000u : 0xBF800000u; });
}

}  // namespace
}  // namespace quadpair::device
