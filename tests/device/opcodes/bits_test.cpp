// Bit operations, bit by bit as the PTX ISA's pseudo code has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

char class_of(unsigned width) {
  return width == 16 ? 'h' : width == 32 ? 'r' : 'd';
}

bool bit(std::uint64_t value, unsigned place) {
  return value >> place & 1;
}

class Bits : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Widths, Bits, testing::Values(16u, 32u, 64u),
                         [](const auto& param) { return fmt::format("b{}", param.param); });
/// Instructions that PTX has for 32 and 64 bits only.
class Fields : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Widths, Fields, testing::Values(32u, 64u),
                         [](const auto& param) { return fmt::format("b{}", param.param); });

TEST_P(Bits, Logic) {
  const unsigned width = GetParam();
  const std::string two(3, class_of(width)), one(2, class_of(width));
  const std::vector<Values> cases = integer_cases({width, width});
  const auto mnemonic = [&](std::string_view name) { return fmt::format("{}.b{}", name, width); };
  expect_results(mnemonic("and") + " %d, %a, %b;", two, cases, [](const Values& v) { return v[0] & v[1]; });
  expect_results(mnemonic("or") + " %d, %a, %b;", two, cases, [](const Values& v) { return v[0] | v[1]; });
  expect_results(mnemonic("xor") + " %d, %a, %b;", two, cases, [](const Values& v) { return v[0] ^ v[1]; });
  expect_results(mnemonic("not") + " %d, %a;", one, cases,
                 [&](const Values& v) { return low_bits(~v[0], width); });
  expect_results(mnemonic("cnot") + " %d, %a;", one, cases,
                 [&](const Values& v) { return std::uint64_t{v[0] == 0}; });
  expect_results(mnemonic("and") + " %d, %a, 16256;", one, cases,
                 [](const Values& v) { return v[0] & 16256; });
  expect_results(mnemonic("xor") + " %d, %a, -1;", one, cases,
                 [&](const Values& v) { return low_bits(~v[0], width); });
}

/// Amounts are 32 bits wide and not taken modulo the width.
std::uint64_t shifted_left(std::uint64_t a, std::uint64_t amount, unsigned width) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i)
    if (i >= amount && bit(a, i - static_cast<unsigned>(amount))) result |= std::uint64_t{1} << i;
  return result;
}

std::uint64_t shifted_right(std::uint64_t a, std::uint64_t amount, unsigned width, bool arithmetic) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i)
    if (i + amount < width ? bit(a, i + static_cast<unsigned>(amount)) : arithmetic && bit(a, width - 1))
      result |= std::uint64_t{1} << i;
  return result;
}

TEST_P(Bits, Shifts) {
  const unsigned width = GetParam();
  const std::string in_register = {class_of(width), class_of(width), 'r'};
  struct Shift {
    const char *name, *type;
    std::function<std::uint64_t(const Values&)> expected;
  };
  const Shift shifts[] = {
      {"shl", "b", [&](const Values& v) { return shifted_left(v[0], v[1], width); }},
      {"shr", "b", [&](const Values& v) { return shifted_right(v[0], v[1], width, false); }},
      {"shr", "u", [&](const Values& v) { return shifted_right(v[0], v[1], width, false); }},
      {"shr", "s", [&](const Values& v) { return shifted_right(v[0], v[1], width, true); }},
  };
  std::vector<Values> cases = integer_cases({width, 32});
  for (std::uint64_t a : integer_edges(width))
    for (std::uint64_t amount = 0; amount <= 66; ++amount) cases.push_back({a, amount, 0, 0});
  for (const Shift& shift : shifts) {
    const std::string mnemonic = fmt::format("{}.{}{}", shift.name, shift.type, width);
    expect_results(mnemonic + " %d, %a, %b;", in_register, cases, shift.expected);
    for (std::uint64_t amount : {0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 256}) {
      std::vector<Values> constant = integer_cases({width}, 50);
      for (Values& one : constant) one[1] = amount;
      expect_results(fmt::format("{} %d, %a, {};", mnemonic, amount), in_register.substr(0, 2), constant,
                     shift.expected);
    }
  }
}

TEST_P(Fields, CountReverseFind) {
  const unsigned width = GetParam();
  const std::string count = {'r', class_of(width)}, same = {class_of(width), class_of(width)};
  const std::vector<Values> cases = integer_cases({width}, 600);
  expect_results(fmt::format("popc.b{} %d, %a;", width), count, cases, [&](const Values& v) {
    std::uint64_t ones = 0;
    for (unsigned i = 0; i < width; ++i) ones += bit(v[0], i);
    return ones;
  });
  expect_results(fmt::format("brev.b{} %d, %a;", width), same, cases, [&](const Values& v) {
    std::uint64_t reversed = 0;
    for (unsigned i = 0; i < width; ++i) reversed |= std::uint64_t{bit(v[0], i)} << (width - 1 - i);
    return reversed;
  });
  /// The highest place that differs from `fill`; all ones where there is none.
  const auto find = [&](std::uint64_t a, bool fill) {
    for (unsigned i = width; i-- > 0;)
      if (bit(a, i) != fill) return std::uint64_t{i};
    return std::uint64_t{0xFFFFFFFF};
  };
  expect_results(fmt::format("clz.b{} %d, %a;", width), count, cases, [&](const Values& v) {
    return v[0] == 0 ? std::uint64_t{width} : width - 1 - find(v[0], false);
  });
  expect_results(fmt::format("bfind.u{} %d, %a;", width), count, cases,
                 [&](const Values& v) { return find(v[0], false); });
  expect_results(fmt::format("bfind.s{} %d, %a;", width), count, cases,
                 [&](const Values& v) { return find(v[0], bit(v[0], width - 1)); });
}

/// Values with a place and a length, in and beyond the width, and beyond the eight bits that count.
std::vector<Values> field_cases(unsigned width) {
  std::vector<Values> cases;
  const std::vector<std::uint64_t> places = {0,  1,  5,   15,  16,  31,  32,        33,
                                             63, 64, 100, 255, 256, 261, 0xFFFFFFFF};
  for (std::uint64_t a :
       {std::uint64_t{0x123456789ABCDEF0}, ~std::uint64_t{0}, std::uint64_t{0x8000000080000001}})
    for (std::uint64_t place : places)
      for (std::uint64_t length : places) cases.push_back({low_bits(a, width), place, length, 0});
  add_random(cases, 400, {width, 6, 6});
  return cases;
}

TEST_P(Fields, ExtractField) {
  const unsigned width = GetParam();
  const std::string classes = {class_of(width), class_of(width), 'r', 'r'};
  for (const bool is_signed : {false, true})
    expect_results(fmt::format("bfe.{}{} %d, %a, %b, %c;", is_signed ? 's' : 'u', width), classes,
                   field_cases(width), [&](const Values& v) {
                     const unsigned place = v[1] & 255, length = v[2] & 255, msb = width - 1;
                     const bool sign =
                         is_signed && length != 0 && bit(v[0], std::min(place + length - 1, msb));
                     std::uint64_t result = 0;
                     for (unsigned i = 0; i <= msb; ++i)
                       if (i < length && place + i <= msb ? bit(v[0], place + i) : sign)
                         result |= std::uint64_t{1} << i;
                     return result;
                   });
}

TEST_P(Fields, InsertField) {
  const unsigned width = GetParam();
  const char cls = class_of(width);
  std::vector<Values> cases;
  for (const Values& one : field_cases(width))
    cases.push_back({one[0], low_bits(0x0F1E2D3C4B5A6978, width), one[1], one[2]});
  const auto expected = [&](const Values& v) {
    const unsigned place = v[2] & 255, length = v[3] & 255;
    std::uint64_t result = v[1];
    for (unsigned i = 0; i < length && place + i < width; ++i) {
      result &= ~(std::uint64_t{1} << (place + i));
      result |= std::uint64_t{bit(v[0], i)} << (place + i);
    }
    return result;
  };
  expect_results(fmt::format("bfi.b{} %d, %a, %b, %c, %e;", width), {cls, cls, cls, 'r', 'r'}, cases,
                 expected);
  for (Values& one : cases) one[2] = 3, one[3] = 29;
  expect_results(fmt::format("bfi.b{} %d, %a, %b, 3, 29;", width), {cls, cls, cls}, cases, expected);
}

TEST(Permute, EverySelector) {
  std::vector<Values> cases;
  for (std::uint64_t selector = 0; selector < 65536; selector += 7)
    cases.push_back({0x80FF7F01, 0xA5C31E00 + selector % 256, selector | 0xABCD0000, 0});
  const auto expected = [](const Values& v) {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned nibble = v[2] >> (4 * i) & 15;
      const std::uint64_t byte = (v[1] << 32 | v[0]) >> (8 * (nibble & 7)) & 255;
      result |= (nibble & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * i);
    }
    return result;
  };
  expect_results("prmt.b32 %d, %a, %b, %c;", "rrrr", cases, expected);
  for (Values& one : cases) one[2] = 0x5410;
  expect_results("prmt.b32 %d, %a, %b, 0x5410;", "rrr", cases, expected);
  expect_results("prmt.b32 %d, %a, %b, 21520;", "rrr", cases, expected);
}

TEST(Lop3, EveryTable) {
  std::vector<Values> cases = integer_cases({32, 32, 32}, 32);
  cases.resize(96);
  cases.push_back({0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA, 0});
  for (unsigned table = 0; table < 256; ++table)
    expect_results(fmt::format("lop3.b32 %d, %a, %b, %c, {};", table), "rrrr", cases, [&](const Values& v) {
      std::uint64_t result = 0;
      for (unsigned i = 0; i < 32; ++i) {
        const unsigned row = bit(v[0], i) * 4u + bit(v[1], i) * 2u + bit(v[2], i);
        result |= std::uint64_t{table >> row & 1} << i;
      }
      return result;
    });
}

TEST(Funnel, LeftAndRightWrapAndClamp) {
  std::vector<Values> cases = integer_cases({32, 32, 32}, 200);
  for (std::uint64_t amount = 0; amount < 70; ++amount) cases.push_back({0x89ABCDEF, 0x76543210, amount, 0});
  for (const bool left : {true, false})
    for (const bool wrap : {true, false})
      expect_results(fmt::format("shf.{}.{}.b32 %d, %a, %b, %c;", left ? 'l' : 'r', wrap ? "wrap" : "clamp"),
                     "rrrr", cases, [&](const Values& v) {
                       const std::uint64_t amount = wrap ? v[2] % 32 : std::min<std::uint64_t>(v[2], 32);
                       const unsigned __int128 both = v[1] << 32 | v[0];
                       return low_bits(
                           static_cast<std::uint64_t>(left ? both << amount >> 32 : both >> amount), 32);
                     });
}

}  // namespace
}  // namespace quadpair::device
