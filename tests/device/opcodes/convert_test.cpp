// cvt between integer widths, FP16 and FP32.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/device/opcodes/float_reference.hpp"
#include "tests/device/opcodes/values.hpp"

namespace quadpair::device {
namespace {

char class_of(unsigned width) {
  return width <= 16 ? 'h' : width == 32 ? 'r' : 'd';
}
unsigned register_width(unsigned width) {
  return width <= 16 ? 16 : width;
}

// The source's low bits are extended as its type says, cut to the destination's type, and extended as that
// says to the register. Nothing saturates.
TEST(ConvertIntegers, EveryPairOfTypes) {
  for (const unsigned to : {8u, 16u, 32u, 64u})
    for (const unsigned from : {8u, 16u, 32u, 64u})
      for (const bool to_signed : {false, true})
        for (const bool from_signed : {false, true})
          expect_results(
              fmt::format("cvt.{}{}.{}{} %d, %a;", to_signed ? 's' : 'u', to, from_signed ? 's' : 'u', from),
              {class_of(to), class_of(from)}, integer_cases({register_width(from)}, 200),
              [&](const Values& v) {
                const auto extend = [](std::uint64_t value, unsigned width, bool is_signed) {
                  return is_signed ? static_cast<std::uint64_t>(sign_extended(value, width))
                                   : low_bits(value, width);
                };
                return low_bits(extend(extend(v[0], from, from_signed), to, to_signed), register_width(to));
              });
}

// A register may be wider than the type it is read or written as.
TEST(ConvertIntegers, WiderRegisters) {
  const std::vector<Values> cases = integer_cases({32}, 200);
  expect_results("cvt.u32.u8 %d, %a;", "rr", cases, [](const Values& v) { return v[0] & 0xFF; });
  expect_results("cvt.s32.s8 %d, %a;", "rr", cases, [](const Values& v) {
    return low_bits(static_cast<std::uint64_t>(sign_extended(v[0], 8)), 32);
  });
  expect_results("cvt.u64.u16 %d, %a;", "dr", cases, [](const Values& v) { return v[0] & 0xFFFF; });
}

TEST(ConvertHalfToSingle, AllHalves) {
  std::vector<Values> cases;
  for (std::uint64_t half = 0; half < 65536; ++half) cases.push_back({half, 0, 0, 0});
  expect_results("cvt.f32.f16 %d, %a;", "rh", cases,
                 [](const Values& v) { return exact_bits(single_format, value_of(half_format, v[0])); });
}

std::uint64_t half_of(std::uint64_t single, mpfr_rnd_t mode = MPFR_RNDN) {
  const Number value(single_format, single);
  return rounded(half_format, mode, [&](mpfr_ptr d, mpfr_rnd_t r) { return mpfr_set(d, value, r); });
}

/// Each half, the middle between it and the next, and the neighbours of that middle.
std::vector<Values> around_halves() {
  std::vector<Values> cases;
  for (std::uint64_t half = 0; half < 0x7C00; ++half) {
    const double low = value_of(half_format, half);
    const double high = half == 0x7BFF ? 65536.0 : value_of(half_format, half + 1);
    const std::uint64_t sign = half % 2 * single_format.sign();
    const std::uint64_t middle = exact_bits(single_format, (low + high) / 2) | sign;
    for (std::uint64_t single : {exact_bits(single_format, low) | sign, middle - 1, middle, middle + 1})
      cases.push_back({single, 0, 0, 0});
  }
  for (std::uint64_t edge : float_edges(single_format)) cases.push_back({edge, 0, 0, 0});
  add_random(cases, 2000, {32});
  return cases;
}

TEST(ConvertSingleToHalf, AroundEveryHalf) {
  expect_results("cvt.rn.f16.f32 %d, %a;", "hr", around_halves(),
                 [](const Values& v) { return half_of(v[0]); });
}

TEST(ConvertSingleToHalf, TowardZeroAroundEveryHalf) {
  expect_results("cvt.rz.f16.f32 %d, %a;", "hr", around_halves(),
                 [](const Values& v) { return half_of(v[0], MPFR_RNDZ); });
}

TEST(ConvertSingleToHalf, Pairs) {
  std::vector<Values> cases = around_halves();
  cases.resize(20000);
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i][1] = cases[i * 31 % cases.size()][0];
  expect_results("cvt.rn.f16x2.f32 %d, %a, %b;", "rrr", cases,
                 [](const Values& v) { return half_of(v[0]) << 16 | half_of(v[1]); });
}

/// Integers, and for each width those about halfway between singles.
std::vector<Values> integers_to_round(unsigned width) {
  std::vector<Values> cases = integer_cases({width}, 1000);
  for (unsigned high = 23; high < width; ++high)
    for (const std::int64_t add : {-1, 0, 1}) {
      const std::uint64_t half_unit = high < 24 ? 0 : std::uint64_t{1} << (high - 24);
      const std::uint64_t base = std::uint64_t{1} << high;
      cases.push_back({low_bits(base + half_unit + static_cast<std::uint64_t>(add), width), 0, 0, 0});
      cases.push_back({low_bits(base + 3 * half_unit + static_cast<std::uint64_t>(add), width), 0, 0, 0});
      cases.push_back({low_bits(0 - (base + half_unit + static_cast<std::uint64_t>(add)), width), 0, 0, 0});
    }
  return cases;
}

TEST(ConvertIntegerToSingle, NearestEven) {
  for (const unsigned width : {16u, 32u, 64u})
    for (const bool is_signed : {false, true})
      expect_results(fmt::format("cvt.rn.f32.{}{} %d, %a;", is_signed ? 's' : 'u', width),
                     {'r', class_of(width)}, integers_to_round(width), [&](const Values& v) {
                       const auto set = [&](const Number& value) {
                         return rounded(single_format, MPFR_RNDN,
                                        [&](mpfr_ptr d, mpfr_rnd_t r) { return mpfr_set(d, value, r); });
                       };
                       return is_signed ? set(Number(sign_extended(v[0], width))) : set(Number(v[0]));
                     });
}

struct Rounding {
  const char* name;
  mpfr_rnd_t mode;
};
constexpr Rounding integer_roundings[] = {
    {"rni", MPFR_RNDN}, {"rzi", MPFR_RNDZ}, {"rmi", MPFR_RNDD}, {"rpi", MPFR_RNDU}};

/// Singles about integers and about the ends of the integer types.
std::vector<Values> singles_to_round() {
  std::vector<Values> cases;
  for (std::uint64_t edge : float_edges(single_format)) cases.push_back({edge, 0, 0, 0});
  for (const double center : {0.5, 1.0, 1.5, 2.0, 2.5, 3.5, 255.5, 65535.5, 8388607.5, 8388608.0, 16777215.0,
                              16777216.0, 2147483648.0, 4294967296.0}) {
    const std::uint64_t bits = exact_bits(single_format, center);
    for (std::uint64_t single : {bits - 1, bits, bits + 1}) {
      cases.push_back({single, 0, 0, 0});
      cases.push_back({single | single_format.sign(), 0, 0, 0});
    }
  }
  add_random(cases, 3000, {32});
  return cases;
}

// Out of range gives the nearest end, NaN gives zero (PTX ISA, cvt).
TEST(ConvertSingleToInteger, EveryRounding) {
  for (const auto& [name, mode] : integer_roundings)
    for (const bool is_signed : {false, true})
      expect_results(fmt::format("cvt.{}.{}32.f32 %d, %a;", name, is_signed ? 's' : 'u'), "rr",
                     singles_to_round(), [&, rounding = mode](const Values& v) -> std::uint64_t {
                       if (single_format.is_nan(v[0])) return 0;
                       const Number value(single_format, v[0]);
                       const std::int64_t low = is_signed ? INT32_MIN : 0;
                       const std::int64_t high = is_signed ? INT32_MAX : UINT32_MAX;
                       if (mpfr_cmp_si(value, low) < 0) {
                         // A value within one below the range may round into it; both ways it is the end.
                         return low_bits(static_cast<std::uint64_t>(low), 32);
                       }
                       if (mpfr_cmp_si(value, high) > 0)
                         return low_bits(static_cast<std::uint64_t>(high), 32);
                       return low_bits(static_cast<std::uint64_t>(mpfr_get_si(value, rounding)), 32);
                     });
}

TEST(ConvertSingleToIntegralSingle, EveryRounding) {
  for (const auto& [name, mode] : integer_roundings)
    expect_results(fmt::format("cvt.{}.f32.f32 %d, %a;", name), "rr", singles_to_round(),
                   [rounding = mode](const Values& v) {
                     const Number value(single_format, v[0]);
                     return rounded(single_format, rounding,
                                    [&](mpfr_ptr d, mpfr_rnd_t r) { return mpfr_rint(d, value, r); });
                   });
}

}  // namespace
}  // namespace quadpair::device
