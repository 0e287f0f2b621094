// mma.m16n8k8 and mma.m16n8k16 of a whole warp: `Halves` of eight k, one or two.
//
// Group g = lane / 4 is one 128-bit block: block lane t holds rows g and g + 8 of A at k 2t, 2t+1 (and 8
// more in the second half), column g of B at the same k, and columns 2t, 2t+1 of rows g, g + 8 of D. So for
// one k, A is a broadcast within blocks, and B one block of four columns, the same in every block: B is
// transposed once.
#if defined(QUADPAIR_REFERENCE_TENSOR_CORE_M16N8_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_TENSOR_CORE_M16N8_INL_H_
#undef QUADPAIR_REFERENCE_TENSOR_CORE_M16N8_INL_H_
#else
#define QUADPAIR_REFERENCE_TENSOR_CORE_M16N8_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "reference/tensor_core/fragments-inl.h"
#include "reference/tensor_core/fused_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {

// Operand offsets: d[4], c[4], a[2 Halves], b[Halves].
inline constexpr int m16n8_c = 4, m16n8_a = 8;
template <int Halves>
inline constexpr int m16n8_b = 8 + 2 * Halves;

/// B with k = 8r + 2t + odd: blocks of four columns 0,2,4,6 (parity 0) or 1,3,5,7 (parity 1).
template <int Halves>
struct alignas(64) TransposedB {
  float values[Halves][2][2][4][4];      ///< [r][parity][odd][t][column / 2]
  std::uint8_t codes[Halves][2][4][16];  ///< [r][odd][t][4 (column / 2) + 2 (row half) + parity]
  bool special;                          ///< an element is infinite or NaN
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

template <int Halves>
HWY_INLINE void transpose_b(const std::byte* file, const std::uint32_t* operands, TransposedB<Halves>& out) {
  alignas(64) std::uint32_t words[Halves][2][16];
#pragma GCC unroll 2
  for (int r = 0; r < Halves; ++r) {
    const auto* from = reinterpret_cast<const std::uint32_t*>(file + operands[m16n8_b<Halves> + r]);
    transpose_columns(from, 0, words[r][0]);
    transpose_columns(from, 1, words[r][1]);
  }
  const F32 df;
  const U32 du;
  Bytes seen = hn::Zero(U8());
#pragma GCC unroll 2
  for (int r = 0; r < Halves; ++r) {
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
template <int Halves>
HWY_INLINE Bytes largest_sums(Bytes a_codes, const TransposedB<Halves>& b, int r) {
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

/// A word of A (eight k of a row) as vectors by k.
HWY_INLINE void broadcast_k(Words w, Floats a[8]) {
  const Floats halves[2] = {low_halves(w), high_halves(w)};
#pragma GCC unroll 2
  for (int x = 0; x < 2; ++x) {
    Floats* out = a + x;
    out[0] = hn::Broadcast<0>(halves[x]);
    out[2] = hn::Broadcast<1>(halves[x]);
    out[4] = hn::Broadcast<2>(halves[x]);
    out[6] = hn::Broadcast<3>(halves[x]);
  }
}

/// The products of one output vector, by k from 8 `r`.
template <int Halves>
struct M16N8Products {
  const Floats* a;
  const TransposedB<Halves>* b;
  int parity;
  int r;
  HWY_INLINE Floats operator()(int k) const {
    const float* block = b->values[r + k / 8][parity][k % 2][(k % 8) / 2];
    return hn::Mul(a[8 * r + k], hn::LoadDup128(F32(), block));
  }
};

/// One output vector, element i = 2 (row half) + parity: m16n8k16 is one step of 16 products on hopper, 8 and
/// then 8 on ampere.
template <int f, int width, int i, int Halves>
HWY_INLINE Floats m16n8_output(const Floats* a, const TransposedB<Halves>& b, const Bytes* exponents,
                               Floats c, hn::VFromD<I32>& largest) {
  using Products = M16N8Products<Halves>;
  const F32 df;
  c = truncating_step<f, width>(df, Products{a, &b, i % 2, 0}, exponent_of_byte<i>(exponents[0]), c, largest);
  if constexpr (width < 8 * Halves) {
    c = truncating_step<f, width>(df, Products{a, &b, i % 2, 1}, exponent_of_byte<i>(exponents[1]), c,
                                  largest);
  }
  return c;
}

/// Steps of `width` products, truncated with F = f, over 8 Halves k.
template <int f, int width, int Halves>
HWY_INLINE void truncating_m16n8(std::byte* file, const std::uint32_t* operands) {
  const F32 df;
  TransposedB<Halves> b;
  transpose_b(file, operands, b);
  for (std::size_t lane = 0; lane < 32; lane += lanes) {
    Floats a[2][8 * Halves];
    Bytes sums[Halves], exponents[Halves];
    Bytes seen = hn::Zero(U8());
#pragma GCC unroll 2
    for (int r = 0; r < Halves; ++r) {
      const Words upper = load_words(file, operands[m16n8_a + 2 * r], lane);
      const Words lower = load_words(file, operands[m16n8_a + 2 * r + 1], lane);
      const Bytes codes = paired_codes(upper, lower);
      seen = hn::Max(seen, codes);
      sums[r] = largest_sums(codes, b, r);
      exponents[r] = biased_exponents(sums[r]);
      broadcast_k(upper, a[0] + 8 * r);
      broadcast_k(lower, a[1] + 8 * r);
    }
    if constexpr (width == 16) exponents[0] = biased_exponents(hn::Max(sums[0], sums[1]));

    auto largest = hn::Zero(I32());
    Floats c[4], d[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) c[i] = load_floats(file, operands[m16n8_c + i], lane);
    d[0] = m16n8_output<f, width, 0>(a[0], b, exponents, c[0], largest);
    d[1] = m16n8_output<f, width, 1>(a[0], b, exponents, c[1], largest);
    d[2] = m16n8_output<f, width, 2>(a[1], b, exponents, c[2], largest);
    d[3] = m16n8_output<f, width, 3>(a[1], b, exponents, c[3], largest);

    const bool special = b.special || any_special(seen) ||
                         !hn::AllFalse(I32(), hn::Eq(largest, hn::Set(I32(), exponent_mask)));
    if (HWY_UNLIKELY(special)) {
      for (int i = 0; i < 4; ++i) {
        d[i] = with_specials<8 * Halves>(df, M16N8Products<Halves>{a[i / 2], &b, i % 2, 0}, c[i], d[i]);
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) store_floats(d[i], file, operands[i], lane);
  }
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
