// Against all numbers of four bits.
#include "harness/mutate/equivalence/comparison.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quadpair::mutate {
namespace {

constexpr unsigned width = 4;
const std::vector<std::string> relations = {"eq", "ne", "lt", "le", "gt", "ge"};

ptx::Operand reg(int number) {
  ptx::Operand operand;
  operand.kind = ptx::OperandKind::reg;
  operand.reg = number;
  return operand;
}

ptx::Operand number(std::uint64_t value) {
  ptx::Operand operand;
  operand.value = value;
  return operand;
}

bool says(const Comparison& c, int a, int b) {
  if (c.is_signed) a = a >= 8 ? a - 16 : a, b = b >= 8 ? b - 16 : b;
  if (c.relation == "eq") return a == b;
  if (c.relation == "ne") return a != b;
  if (c.relation == "lt") return a < b;
  if (c.relation == "le") return a <= b;
  return c.relation == "gt" ? a > b : a >= b;
}

std::vector<Value> values() {
  std::vector<Value> all = {Value::any(width),           Value::between(width, 0, 7),
                            Value::between(width, 3, 5), Value::between(width, 9, 14),
                            Value::constant(width, 0),   Value::constant(width, 6)};
  Value even = Value::any(width);
  even.zeros = 1;
  all.push_back(even.tightened());
  return all;
}

/// Of registers 0 and 1.
template <class Action>
void for_all(const Value& a, const Value& b, Action action) {
  for (int x = 0; x < 16; ++x)
    for (int y = 0; y < 16; ++y)
      if (a.may_be(static_cast<unsigned>(x)) && b.may_be(static_cast<unsigned>(y))) action(x, y);
}

TEST(Comparisons, AreDecidedAsAllValuesSay) {
  unsigned decisions = 0;
  for (const Value& a : values())
    for (const Value& b : values())
      for (const std::string& relation : relations)
        for (const bool is_signed : {false, true}) {
          const Comparison c{relation, is_signed, width, reg(0), reg(1)};
          const auto found = decided(c, a, b);
          if (found) for_all(a, b, [&](int x, int y) { EXPECT_EQ(says(c, x, y), *found); });
          decisions += found.has_value();
        }
  EXPECT_GT(decisions, 100u);
}

TEST(Comparisons, AgreeOnlyWhereAllValuesSayTheSame) {
  unsigned agreements = 0, equal = 0;
  for (const Value& a : values())
    for (const Value& b : values())
      for (const std::string& first : relations)
        for (const std::string& second : relations)
          for (int way = 0; way < 8; ++way) {
            const bool turned = (way & 4) != 0;
            const Comparison x{first, (way & 1) != 0, width, reg(0), reg(1)},
                y{second, (way & 2) != 0, width, reg(turned ? 1 : 0), reg(turned ? 0 : 1)};
            bool same = true;
            for_all(a, b,
                    [&](int u, int v) { same &= says(x, u, v) == (turned ? says(y, v, u) : says(y, u, v)); });
            const bool found = agree(x, a, b, y, turned ? b : a, turned ? a : b);
            EXPECT_TRUE(!found || same) << first << " " << second << " " << way;
            agreements += found;
            equal += same;
          }
  EXPECT_GT(agreements, equal * 3 / 4);  // most of what is so is seen
}

TEST(Comparisons, AgreeOnConstantsExactly) {
  for (const Value& a : values())
    for (const std::string& first : relations)
      for (const std::string& second : relations)
        for (unsigned b = 0; b < 16; b += 3)
          for (unsigned d = 0; d < 16; ++d)
            for (int way = 0; way < 4; ++way) {
              const Comparison x{first, (way & 1) != 0, width, reg(0), number(b)},
                  y{second, (way & 2) != 0, width, reg(0), number(d)};
              bool same = true;
              for_all(a, a, [&](int u, int) {
                same &= says(x, u, static_cast<int>(b)) == says(y, u, static_cast<int>(d));
              });
              EXPECT_EQ(agree(x, a, Value::constant(width, b), y, a, Value::constant(width, d)), same)
                  << first << b << " " << second << d << " " << way;
            }
}

}  // namespace
}  // namespace quadpair::mutate
