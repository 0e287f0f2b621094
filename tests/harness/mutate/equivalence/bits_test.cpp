// Bit by bit against the arithmetic of whole numbers.
#include "harness/mutate/equivalence/bits.hpp"

#include <gtest/gtest.h>

#include <random>

namespace quadpair::mutate {
namespace {

/// Of a number some of whose bits are not known.
Value partly_known(std::uint64_t number, std::uint64_t known) {
  Value value = Value::any(32);
  value.zeros = ~number & known & mask_of(32);
  value.ones = number & known & mask_of(32);
  return value.tightened();
}

/// Every known bit is that of the number, and every bit of register 0 that of `a`, of register 1 that of `b`.
void expect_bits(const Bits& bits, std::uint64_t number, std::uint64_t a, std::uint64_t b) {
  for (unsigned i = 0; i < bits.size(); ++i) {
    const bool is = (number >> i & 1) != 0;
    const std::uint64_t from = bits[i].reg == 0 ? a : b;
    if (bits[i].known()) {
      EXPECT_EQ(bits[i].reg == Bit::one, is) << i;
    } else if (bits[i].reg != Bit::anything) {
      EXPECT_EQ((from >> bits[i].place & 1) != 0, is) << i;
    }
  }
}

TEST(Bits, AreThoseOfTheWholeNumbers) {
  std::mt19937_64 random(7);
  unsigned traced = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    const auto a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
    const auto c = static_cast<std::uint32_t>(random());
    std::uint64_t few = random(), many = random();  // known bits: a quarter, three quarters
    few &= random();
    many |= random();
    const Bits x = bits_of(partly_known(a, few), 0), y = bits_of(partly_known(b, many), 1),
               z = bits_of(Value::constant(32, c), -1);
    const unsigned by = random() % 40;
    expect_bits(shifted_left(x, by), by < 32 ? std::uint64_t{a} << by : 0, a, b);
    expect_bits(shifted_right(x, by, bit_of(false)), by < 32 ? a >> by : 0, a, b);
    expect_bits(sum(x, y), a + b, a, b);
    for (unsigned table = 0; table < 256; table += 7) {
      std::uint32_t result = 0;
      for (unsigned i = 0; i < 32; ++i)
        result |= (table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i;
      const Bits bits = logic(x, y, z, table);
      expect_bits(bits, result, a, b);
      for (const Bit& bit : bits) traced += bit.reg >= 0;
    }
    const auto selector = static_cast<std::uint32_t>(random() & 0xFFFF);
    std::uint32_t permuted_number = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned nibble = selector >> (4 * i) & 0xF;
      const std::uint64_t both = std::uint64_t{b} << 32 | a;
      std::uint32_t byte = both >> (8 * (nibble % 8)) & 0xFF;
      if (nibble >= 8) byte = (byte & 0x80) != 0 ? 0xFF : 0;
      permuted_number |= byte << (8 * i);
    }
    expect_bits(permuted(x, y, selector), permuted_number, a, b);
  }
  EXPECT_GT(traced, 1000u);
}

TEST(Values, HaveTheNumberThatTheyAreMadeOf) {
  std::mt19937_64 random(8);
  for (int turn = 0; turn < 2000; ++turn) {
    const std::uint64_t number = random() & mask_of(32), low = random() % (number + 1);
    Value value = partly_known(number, random());
    value.lowest = std::max(value.lowest, low);
    value.highest = std::min(value.highest, number + random() % 1000);
    EXPECT_TRUE(value.tightened().may_be(number));
    const Value other = partly_known(random(), random());
    EXPECT_TRUE(value.joined(other).may_be(number));
  }
  EXPECT_FALSE(Value::between(32, 8, 11).may_be(7));
  EXPECT_EQ(Value::between(32, 8, 11).tightened().zeros, mask_of(32) & ~0xBu);
}

}  // namespace
}  // namespace quadpair::mutate
