// Integer arithmetic against 128-bit integers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

using Wide = __int128;

/// Register class of a width.
char class_of(unsigned width) {
  return width == 16 ? 'h' : width == 32 ? 'r' : 'd';
}

/// A type such as "s32".
struct Type {
  bool is_signed;
  unsigned width;

  std::string name() const { return fmt::format("{}{}", is_signed ? 's' : 'u', width); }
  Wide value(std::uint64_t bits) const {
    return is_signed ? Wide{sign_extended(bits, width)} : Wide{low_bits(bits, width)};
  }
  std::string classes(unsigned sources) const { return std::string(sources + 1, class_of(width)); }
};

std::uint64_t bits_of(Wide value, unsigned width) {
  return low_bits(static_cast<std::uint64_t>(static_cast<unsigned __int128>(value)), width);
}

/// a b + c modulo 2^128.
Wide multiply_add(Wide a, Wide b, Wide c) {
  using Bits = unsigned __int128;
  return static_cast<Wide>(static_cast<Bits>(a) * static_cast<Bits>(b) + static_cast<Bits>(c));
}

class Integer : public testing::TestWithParam<Type> {};
class IntegerWide : public testing::TestWithParam<Type> {};
class IntegerSigned : public testing::TestWithParam<Type> {};
std::string name_of(const testing::TestParamInfo<Type>& info) {
  return info.param.name();
}
INSTANTIATE_TEST_SUITE_P(Types, Integer,
                         testing::Values(Type{false, 16}, Type{true, 16}, Type{false, 32}, Type{true, 32},
                                         Type{false, 64}, Type{true, 64}),
                         name_of);
// PTX has no 128-bit products.
INSTANTIATE_TEST_SUITE_P(Types, IntegerWide,
                         testing::Values(Type{false, 16}, Type{true, 16}, Type{false, 32}, Type{true, 32}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Types, IntegerSigned,
                         testing::Values(Type{true, 16}, Type{true, 32}, Type{true, 64}), name_of);

/// `name` with the type behind it, over two sources, in a register and as a constant.
void expect_binary(const std::string& name, Type type, Wide (*function)(Wide, Wide),
                   bool zero_divides = true) {
  const auto expected = [&](const Values& v) {
    return bits_of(function(type.value(v[0]), type.value(v[1])), type.width);
  };
  const std::string mnemonic = name + "." + type.name();
  std::vector<Values> cases = integer_cases({type.width, type.width});
  if (!zero_divides) std::erase_if(cases, [](const Values& v) { return v[1] == 0; });
  expect_results(mnemonic + " %d, %a, %b;", type.classes(2), cases, expected);
  for (std::uint64_t b : {std::uint64_t{1}, std::uint64_t{5}, low_bits(~std::uint64_t{0}, type.width)}) {
    for (Values& one : cases) one[1] = b;
    const std::string constant =
        type.is_signed ? std::to_string(sign_extended(b, type.width)) : std::to_string(b);
    expect_results(fmt::format("{} %d, %a, {};", mnemonic, constant), type.classes(1), cases, expected);
  }
}

TEST_P(Integer, Add) {
  expect_binary("add", GetParam(), [](Wide a, Wide b) { return a + b; });
}
TEST_P(Integer, Sub) {
  expect_binary("sub", GetParam(), [](Wide a, Wide b) { return a - b; });
}
TEST_P(Integer, MulLo) {
  expect_binary("mul.lo", GetParam(), [](Wide a, Wide b) { return multiply_add(a, b, 0); });
}
TEST_P(Integer, Min) {
  expect_binary("min", GetParam(), [](Wide a, Wide b) { return std::min(a, b); });
}
TEST_P(Integer, Max) {
  expect_binary("max", GetParam(), [](Wide a, Wide b) { return std::max(a, b); });
}

// A divisor of zero gives what the machine gives, which PTX leaves open.
TEST_P(Integer, Div) {
  expect_binary(
      "div", GetParam(), [](Wide a, Wide b) { return a / b; }, false);
}
TEST_P(Integer, Rem) {
  expect_binary(
      "rem", GetParam(), [](Wide a, Wide b) { return a % b; }, false);
}

TEST_P(Integer, MulHi) {
  const Type type = GetParam();
  expect_results("mul.hi." + type.name() + " %d, %a, %b;", type.classes(2),
                 integer_cases({type.width, type.width}), [&](const Values& v) {
                   // An unsigned 64-bit product needs all 128 bits; the shift is arithmetic where they are
                   // signed.
                   if (!type.is_signed)
                     return low_bits(static_cast<std::uint64_t>(static_cast<unsigned __int128>(v[0]) * v[1] >>
                                                                type.width),
                                     type.width);
                   return bits_of(type.value(v[0]) * type.value(v[1]) >> type.width, type.width);
                 });
}

TEST_P(Integer, MadLo) {
  const Type type = GetParam();
  const auto expected = [&](const Values& v) {
    return bits_of(multiply_add(type.value(v[0]), type.value(v[1]), type.value(v[2])), type.width);
  };
  const std::vector<Values> cases = integer_cases({type.width, type.width, type.width});
  expect_results("mad.lo." + type.name() + " %d, %a, %b, %c;", type.classes(3), cases, expected);
}

TEST_P(Integer, MadLoWithConstants) {
  const Type type = GetParam();
  const std::vector<Values> cases = integer_cases({type.width, type.width});
  expect_results("mad.lo." + type.name() + " %d, %a, 3, %b;", type.classes(2), cases, [&](const Values& v) {
    return bits_of(multiply_add(type.value(v[0]), 3, type.value(v[1])), type.width);
  });
  expect_results("mad.lo." + type.name() + " %d, %a, %b, 7;", type.classes(2), cases, [&](const Values& v) {
    return bits_of(multiply_add(type.value(v[0]), type.value(v[1]), 7), type.width);
  });
}

TEST_P(Integer, MadHi) {
  const Type type = GetParam();
  expect_results("mad.hi." + type.name() + " %d, %a, %b, %c;", type.classes(3),
                 integer_cases({type.width, type.width, type.width}), [&](const Values& v) {
                   const std::uint64_t high =
                       type.is_signed ? bits_of(type.value(v[0]) * type.value(v[1]) >> type.width, type.width)
                                      : static_cast<std::uint64_t>(
                                            static_cast<unsigned __int128>(v[0]) * v[1] >> type.width);
                   return low_bits(high + v[2], type.width);
                 });
}

TEST_P(IntegerWide, MulAndMad) {
  const Type type = GetParam();
  const char narrow = class_of(type.width), wide = class_of(2 * type.width);
  const auto product = [&](const Values& v) {
    return bits_of(type.value(v[0]) * type.value(v[1]), 2 * type.width);
  };
  expect_results("mul.wide." + type.name() + " %d, %a, %b;", {wide, narrow, narrow},
                 integer_cases({type.width, type.width}), product);
  std::vector<Values> cases = integer_cases({type.width});
  for (Values& one : cases) one[1] = 29;
  expect_results("mul.wide." + type.name() + " %d, %a, 29;", {wide, narrow}, cases, product);
  expect_results("mad.wide." + type.name() + " %d, %a, %b, %c;", {wide, narrow, narrow, wide},
                 integer_cases({type.width, type.width, 2 * type.width}),
                 [&](const Values& v) { return low_bits(product(v) + v[2], 2 * type.width); });
}

TEST_P(IntegerSigned, NegAndAbs) {
  const Type type = GetParam();
  const std::vector<Values> cases = integer_cases({type.width});
  expect_results("neg." + type.name() + " %d, %a;", type.classes(1), cases,
                 [&](const Values& v) { return bits_of(-type.value(v[0]), type.width); });
  expect_results("abs." + type.name() + " %d, %a;", type.classes(1), cases, [&](const Values& v) {
    const Wide a = type.value(v[0]);
    return bits_of(a < 0 ? -a : a, type.width);
  });
}

TEST(IntegerSad, AbsoluteDifferencePlusThird) {
  for (const Type type : {Type{false, 32}, Type{true, 32}})
    expect_results("sad." + type.name() + " %d, %a, %b, %c;", type.classes(3), integer_cases({32, 32, 32}),
                   [&](const Values& v) {
                     const Wide difference = type.value(v[0]) - type.value(v[1]);
                     return bits_of((difference < 0 ? -difference : difference) + Wide{v[2]}, 32);
                   });
}

}  // namespace
}  // namespace quadpair::device
