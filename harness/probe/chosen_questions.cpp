#include <algorithm>
#include <initializer_list>

#include "harness/probe/questions.hpp"

namespace quadpair::probe {
namespace {

using Halves = std::initializer_list<std::uint16_t>;

cases::MeasuredRow row(Halves a, Halves b, std::uint32_t c) {
  cases::MeasuredRow r;
  std::ranges::copy(a, r.a.begin());
  std::ranges::copy(b, r.b.begin());
  r.c = c;
  return r;
}

constexpr std::uint32_t one = 0x3F800000;

/// 1 - 1 + 2^-30, the last at product k: lost unless it meets the sum in a later step.
cases::MeasuredRow late_product(std::size_t k) {
  cases::MeasuredRow r = row({0x3C00}, {0xBC00}, one);
  r.a[k] = r.b[k] = 0x0200;
  return r;
}

}  // namespace

Questions chosen_questions(MmaShape shape) {
  const Halves tiny = {0x0C00, 0x0C00, 0x0C00, 0x0C00};  // 2^-12
  const Halves plus = {0x3E00, 0x3E00}, minus = {0x3E00, 0xBE00};
  Questions questions = {
      row(tiny, tiny, one),                              // 4 . 2^-24 beside 1
      row(tiny, {0x0800, 0x0800, 0x0800, 0x0800}, one),  // 4 . 2^-25
      row({0x0E00}, {0x0C00}, one),                      // 1.5 . 2^-24: rounded or truncated
      row({0x0C00}, {0x8C00}, one),                      // 1 - 2^-24
      row({0x0C00}, {0x8800}, one),                      // 1 - 2^-25
      row(plus, minus, 0x33800000),                      // 2.25 - 2.25 + 2^-24
      row(plus, minus, 0x33000000),                      // ... + 2^-25
      row(plus, minus, 0x32800000),                      // ... + 2^-26
      row({0x0001, 0x0400}, {0x3C00, 0x0001}, 0),        // 2^-24 + 2^-38: subnormals' exponents
      row({0x0001, 0x0200}, {0x3C00, 0x0001}, 0),        // 2^-24 + 2^-39
      row({0x8000}, {0x3C00}, 0x80000000),               // -0 . 1 + -0
      row({}, {}, 1),                                    // the smallest FP32 subnormal
      row({0x7C00}, {}, 0),                              // infinity . 0
  };
  if (shape == MmaShape::m16n8k8) questions.push_back(late_product(4));
  if (shape == MmaShape::m16n8k16) questions.push_back(late_product(8));
  return questions;
}

}  // namespace quadpair::probe
