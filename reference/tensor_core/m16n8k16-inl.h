// mma.m16n8k16 of a whole warp.
//
// Group g = lane / 4 is one 128-bit block: block lane t holds rows g and g + 8 of A at k 2t, 2t+1 (and 8
// more), column g of B at the same k, and columns 2t, 2t+1 of rows g, g + 8 of D. So for one k, A is a
// broadcast within blocks, and B one block of four columns, the same in every block: B is transposed once.
#if defined(QUADPAIR_REFERENCE_TENSOR_CORE_M16N8K16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_TENSOR_CORE_M16N8K16_INL_H_
#undef QUADPAIR_REFERENCE_TENSOR_CORE_M16N8K16_INL_H_
#else
#define QUADPAIR_REFERENCE_TENSOR_CORE_M16N8K16_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "reference/tensor_core/fragments-inl.h"
#include "reference/tensor_core/fused_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {

// Operand offsets: d[4], c[4], a[4], b[2].
inline constexpr int m16n8k16_c = 4, m16n8k16_a = 8, m16n8k16_b = 12;

/// B with k = 8r + 2t + odd: blocks of four columns 0,2,4,6 (parity 0) or 1,3,5,7 (parity 1).
struct alignas(64) TransposedB {
  float values[2][2][2][4][4];      ///< [r][parity][odd][t][column / 2]
  std::uint8_t codes[2][2][4][16];  ///< [r][odd][t][4 (column / 2) + 2 (row half) + parity]
  bool special;                     ///< an element is infinite or NaN
};

/// words[t][j] = from[2j + parity][t], for the 8 x 4 words of a register of B.
HWY_INLINE void transpose_columns(const std::uint32_t* from, int parity, std::uint32_t* words) {
  const hn::FixedTag<std::uint32_t, 4> d;
  const hn::Repartition<std::uint64_t, decltype(d)> pairs;
  const auto column = [&](int j) HWY_ATTR { return hn::Load(d, from + 4 * (2 * j + parity)); };
  const auto c0 = column(0), c1 = column(1), c2 = column(2), c3 = column(3);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, c0, c1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, c2, c3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, c0, c1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, c2, c3));
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, words);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, words + 4);
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, words + 8);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, words + 12);
}

HWY_INLINE void transpose_b(const std::byte* file, const std::uint32_t* operands, TransposedB& out) {
  alignas(64) std::uint32_t words[2][2][16];
#pragma GCC unroll 2
  for (int r = 0; r < 2; ++r) {
    const auto* from = reinterpret_cast<const std::uint32_t*>(file + operands[m16n8k16_b + r]);
    transpose_columns(from, 0, words[r][0]);
    transpose_columns(from, 1, words[r][1]);
  }
  const F32 df;
  const U32 du;
  Bytes seen = hn::Zero(U8());
#pragma GCC unroll 2
  for (int r = 0; r < 2; ++r) {
    for (std::size_t lane = 0; lane < 16; lane += lanes) {
      const Words w[2] = {hn::Load(du, words[r][0] + lane), hn::Load(du, words[r][1] + lane)};
#pragma GCC unroll 2
      for (int parity = 0; parity < 2; ++parity) {
        hn::Store(low_halves(w[parity]), df, &out.values[r][parity][0][0][0] + lane);
        hn::Store(high_halves(w[parity]), df, &out.values[r][parity][1][0][0] + lane);
      }
      const Bytes codes = paired_codes(w[0], w[1]);
      seen = hn::Max(seen, codes);
      const Words pairs = hn::BitCast(du, codes);
      const Words even = hn::And(pairs, hn::Set(du, 0xFFFF));
      const Words odd = hn::ShiftRight<16>(pairs);
      hn::Store(hn::Or(even, hn::ShiftLeft<16>(even)), du,
                reinterpret_cast<std::uint32_t*>(&out.codes[r][0][0][0]) + lane);
      hn::Store(hn::Or(odd, hn::ShiftLeft<16>(odd)), du,
                reinterpret_cast<std::uint32_t*>(&out.codes[r][1][0][0]) + lane);
    }
  }
  out.special = any_special(seen);
}

/// The largest sums of exponent codes over the eight k of half r of the instruction: byte 2 (row half) +
/// parity of each word. `a_codes` are the codes of A's registers 2r (even bytes) and 2r + 1 (odd bytes).
HWY_INLINE Bytes largest_sums(Bytes a_codes, const TransposedB& b, int r) {
  const U8 d;
  Bytes largest = hn::Zero(d);
#pragma GCC unroll 4
  for (int t = 0; t < 4; ++t) {
#pragma GCC unroll 2
    for (int odd = 0; odd < 2; ++odd) {
      // The codes of rows g, g, g + 8, g + 8 from block lane t, in every lane of the block.
      const std::uint32_t first = 4 * t + 2 * odd;
      const auto index = hn::BitCast(d, hn::Set(U32(), first * 0x01010101u + 0x01010000u));
      const Bytes a = hn::TableLookupBytes(a_codes, index);
      largest = hn::Max(largest, hn::Add(a, hn::LoadDup128(d, b.codes[r][odd][t])));
    }
  }
  return largest;
}

/// Two words of A (k 0-7 and 8-15 of a row) as sixteen vectors by k.
HWY_INLINE void broadcast_k(Words w0, Words w1, Floats a[16]) {
  const Floats halves[4] = {low_halves(w0), high_halves(w0), low_halves(w1), high_halves(w1)};
#pragma GCC unroll 4
  for (int x = 0; x < 4; ++x) {
    Floats* out = a + 8 * (x / 2) + x % 2;
    out[0] = hn::Broadcast<0>(halves[x]);
    out[2] = hn::Broadcast<1>(halves[x]);
    out[4] = hn::Broadcast<2>(halves[x]);
    out[6] = hn::Broadcast<3>(halves[x]);
  }
}

/// The products of one output vector, by k from 8 `r`.
struct M16N8K16Products {
  const Floats* a;
  const TransposedB* b;
  int parity;
  int r;
  HWY_INLINE Floats operator()(int k) const {
    const float* block = b->values[r + k / 8][parity][k % 2][(k % 8) / 2];
    return hn::Mul(a[8 * r + k], hn::LoadDup128(F32(), block));
  }
};

/// One output vector, element i = 2 (row half) + parity: hopper takes 16 products in one step, ampere 8
/// and then 8.
template <int f, int width, int i>
HWY_INLINE Floats m16n8k16_output(const Floats* a, const TransposedB& b, const Bytes exponents[2], Floats c,
                                  hn::VFromD<I32>& largest) {
  const F32 df;
  c = truncating_step<f, width>(df, M16N8K16Products{a, &b, i % 2, 0}, exponent_of_byte<i>(exponents[0]), c,
                                largest);
  if constexpr (width == 8) {
    c = truncating_step<f, width>(df, M16N8K16Products{a, &b, i % 2, 1}, exponent_of_byte<i>(exponents[1]), c,
                                  largest);
  }
  return c;
}

template <int f, int width>
HWY_INLINE void truncating_m16n8k16(std::byte* file, const std::uint32_t* operands) {
  const F32 df;
  TransposedB b;
  transpose_b(file, operands, b);
  for (std::size_t lane = 0; lane < 32; lane += lanes) {
    Words a_words[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) a_words[i] = load_words(file, operands[m16n8k16_a + i], lane);
    const Bytes codes[2] = {paired_codes(a_words[0], a_words[1]), paired_codes(a_words[2], a_words[3])};
    const Bytes sums[2] = {largest_sums(codes[0], b, 0), largest_sums(codes[1], b, 1)};
    const Bytes exponents[2] = {biased_exponents(width == 16 ? hn::Max(sums[0], sums[1]) : sums[0]),
                                biased_exponents(sums[1])};
    Floats a[2][16];
    broadcast_k(a_words[0], a_words[2], a[0]);
    broadcast_k(a_words[1], a_words[3], a[1]);

    auto largest = hn::Zero(I32());
    Floats c[4], d[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) c[i] = load_floats(file, operands[m16n8k16_c + i], lane);
    d[0] = m16n8k16_output<f, width, 0>(a[0], b, exponents, c[0], largest);
    d[1] = m16n8k16_output<f, width, 1>(a[0], b, exponents, c[1], largest);
    d[2] = m16n8k16_output<f, width, 2>(a[1], b, exponents, c[2], largest);
    d[3] = m16n8k16_output<f, width, 3>(a[1], b, exponents, c[3], largest);

    const bool special = b.special || any_special(hn::Max(codes[0], codes[1])) ||
                         !hn::AllFalse(I32(), hn::Eq(largest, hn::Set(I32(), exponent_mask)));
    if (HWY_UNLIKELY(special)) {
      for (int i = 0; i < 4; ++i) {
        d[i] = with_specials<16>(df, M16N8K16Products{a[i / 2], &b, i % 2, 0}, c[i], d[i]);
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) store_floats(d[i], file, operands[i], lane);
  }
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
