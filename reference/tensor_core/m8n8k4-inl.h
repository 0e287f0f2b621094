// mma.m8n8k4 of a whole warp: four 8x8x4 products, one a quad-pair.
//
// The lanes of a quad-pair are one 128-bit block of each register's lower and upper half, so a vector of
// blocks is a vector of independent quad-pairs, and every shuffle stays within blocks. In block lane j,
// element i of D in half h is row (i & 2) + (j & 1) + 4h and column (i & 4) + (j & 2) + (i & 1): A comes
// from block lanes 0,1,0,1 or 2,3,2,3 of half h, and B from 0,0,2,2 or 1,1,3,3 of half i / 4.
#if defined(QUADPAIR_REFERENCE_TENSOR_CORE_M8N8K4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QUADPAIR_REFERENCE_TENSOR_CORE_M8N8K4_INL_H_
#undef QUADPAIR_REFERENCE_TENSOR_CORE_M8N8K4_INL_H_
#else
#define QUADPAIR_REFERENCE_TENSOR_CORE_M8N8K4_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "reference/tensor_core/fragments-inl.h"
#include "reference/tensor_core/fused_step-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quadpair::reference::HWY_NAMESPACE {

// Operand offsets: d[8], c[8], a[2], b[2].
inline constexpr int m8n8k4_c = 8, m8n8k4_a = 16, m8n8k4_b = 18;

struct M8N8K4Operands {
  Floats a[2][2][4];  ///< [i & 2][half][k]
  Floats b[2][2][4];  ///< [i & 4][i & 1][k]
};

HWY_INLINE Floats repeat_lower_pair(Floats x) {
  const hn::Repartition<std::uint64_t, F32> d;
  const auto pairs = hn::BitCast(d, x);
  return hn::BitCast(F32(), hn::InterleaveLower(d, pairs, pairs));
}
HWY_INLINE Floats repeat_upper_pair(Floats x) {
  const hn::Repartition<std::uint64_t, F32> d;
  const auto pairs = hn::BitCast(d, x);
  return hn::BitCast(F32(), hn::InterleaveUpper(d, pairs, pairs));
}

HWY_INLINE void load_operands(const std::byte* file, const std::uint32_t* operands, std::size_t lane,
                              M8N8K4Operands& out) {
#pragma GCC unroll 2
  for (int pair = 0; pair < 2; ++pair) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const Words a = load_words(file, operands[m8n8k4_a + pair], lane + 16 * half);
      const Words b = load_words(file, operands[m8n8k4_b + pair], lane + 16 * half);
      const Floats a_k[2] = {low_halves(a), high_halves(a)};
      const Floats b_k[2] = {low_halves(b), high_halves(b)};
#pragma GCC unroll 2
      for (int k = 0; k < 2; ++k) {
        out.a[0][half][2 * pair + k] = repeat_lower_pair(a_k[k]);
        out.a[1][half][2 * pair + k] = repeat_upper_pair(a_k[k]);
        out.b[half][0][2 * pair + k] = hn::DupEven(b_k[k]);
        out.b[half][1][2 * pair + k] = hn::DupOdd(b_k[k]);
      }
    }
  }
}

/// Product exponents of all outputs: byte 2h + (i & 1) of the words of `largest[i & 2][i & 4]` belongs to
/// element i of half h. Returns whether an operand is infinite or NaN.
HWY_INLINE bool product_exponents(const std::byte* file, const std::uint32_t* operands, std::size_t lane,
                                  Bytes largest[2][2]) {
  const U8 d;
  // Byte tables within a block: [which rows, or columns' half][k & 1], output byte 4j + 2h + (i & 1).
  alignas(16) static constexpr std::uint8_t a_index[2][2][16] = {
      {{0, 0, 1, 1, 4, 4, 5, 5, 0, 0, 1, 1, 4, 4, 5, 5}, {2, 2, 3, 3, 6, 6, 7, 7, 2, 2, 3, 3, 6, 6, 7, 7}},
      {{8, 8, 9, 9, 12, 12, 13, 13, 8, 8, 9, 9, 12, 12, 13, 13},
       {10, 10, 11, 11, 14, 14, 15, 15, 10, 10, 11, 11, 14, 14, 15, 15}}};
  alignas(16) static constexpr std::uint8_t b_index[2][2][16] = {
      {{0, 4, 0, 4, 0, 4, 0, 4, 8, 12, 8, 12, 8, 12, 8, 12},
       {2, 6, 2, 6, 2, 6, 2, 6, 10, 14, 10, 14, 10, 14, 10, 14}},
      {{1, 5, 1, 5, 1, 5, 1, 5, 9, 13, 9, 13, 9, 13, 9, 13},
       {3, 7, 3, 7, 3, 7, 3, 7, 11, 15, 11, 15, 11, 15, 11, 15}}};
  Bytes a[2][4], b[2][4];
  Bytes seen = hn::Zero(d);
#pragma GCC unroll 2
  for (int pair = 0; pair < 2; ++pair) {
    const Bytes a_codes = paired_codes(load_words(file, operands[m8n8k4_a + pair], lane),
                                       load_words(file, operands[m8n8k4_a + pair], lane + 16));
    const Bytes b_codes = paired_codes(load_words(file, operands[m8n8k4_b + pair], lane),
                                       load_words(file, operands[m8n8k4_b + pair], lane + 16));
    seen = hn::Max(seen, hn::Max(a_codes, b_codes));
#pragma GCC unroll 4
    for (int x = 0; x < 4; ++x) {
      a[x / 2][2 * pair + x % 2] = hn::TableLookupBytes(a_codes, hn::LoadDup128(d, a_index[x / 2][x % 2]));
      b[x / 2][2 * pair + x % 2] = hn::TableLookupBytes(b_codes, hn::LoadDup128(d, b_index[x / 2][x % 2]));
    }
  }
#pragma GCC unroll 4
  for (int x = 0; x < 4; ++x) {
    Bytes sum = hn::Add(a[x / 2][0], b[x % 2][0]);
#pragma GCC unroll 3
    for (int k = 1; k < 4; ++k) sum = hn::Max(sum, hn::Add(a[x / 2][k], b[x % 2][k]));
    largest[x / 2][x % 2] = biased_exponents(sum);
  }
  return any_special(seen);
}

/// Whether every output has a product that is not zero.
HWY_INLINE bool all_have_products(const Bytes largest[2][2]) {
  const Bytes least = hn::Min(hn::Min(largest[0][0], largest[0][1]), hn::Min(largest[1][0], largest[1][1]));
  return hn::AllFalse(U8(), hn::Eq(least, hn::Set(U8(), no_product_exponent >> 23)));
}

/// The products of one output vector, by k.
struct M8N8K4Products {
  const Floats* a;
  const Floats* b;
  HWY_INLINE Floats operator()(int k) const { return hn::Mul(a[k], b[k]); }
};

HWY_INLINE M8N8K4Products products_of(const M8N8K4Operands& operands, int i, int half) {
  return {operands.a[(i >> 1) & 1][half], operands.b[i >> 2][i & 1]};
}

/// The steps of all outputs; yields whether a c is infinite or NaN.
template <bool maybe_alone>
HWY_INLINE bool truncating_steps(const std::byte* file, const std::uint32_t* operands, std::size_t lane,
                                 const M8N8K4Operands& in, const Bytes exponents[2][2], Floats d[8][2]) {
  auto largest = hn::Zero(I32());
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    const Bytes bytes = exponents[(i >> 1) & 1][i >> 2];
    const auto low = (i & 1) == 0 ? exponent_of_byte<0>(bytes) : exponent_of_byte<1>(bytes);
    const auto high = (i & 1) == 0 ? exponent_of_byte<2>(bytes) : exponent_of_byte<3>(bytes);
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const Floats c = load_floats(file, operands[m8n8k4_c + i], lane + 16 * half);
      d[i][half] = truncating_step<23, 4, maybe_alone>(F32(), products_of(in, i, half),
                                                       half == 0 ? low : high, c, largest);
    }
  }
  return !hn::AllFalse(I32(), hn::Eq(largest, hn::Set(I32(), exponent_mask)));
}

/// Volta and Turing: one truncating step of four products, F = 23.
HWY_INLINE void truncating_m8n8k4(std::byte* file, const std::uint32_t* operands, std::size_t lane) {
  const F32 df;
  M8N8K4Operands in;
  load_operands(file, operands, lane, in);
  Bytes exponents[2][2];
  bool special = product_exponents(file, operands, lane, exponents);

  Floats d[8][2];
  if (HWY_LIKELY(all_have_products(exponents)))
    special |= truncating_steps<false>(file, operands, lane, in, exponents, d);
  else
    special |= truncating_steps<true>(file, operands, lane, in, exponents, d);
  if (HWY_UNLIKELY(special)) {
    for (int i = 0; i < 8; ++i) {
      for (int half = 0; half < 2; ++half) {
        const Floats c = load_floats(file, operands[m8n8k4_c + i], lane + 16 * half);
        d[i][half] = with_specials<4>(df, products_of(in, i, half), c, d[i][half]);
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    store_floats(d[i][0], file, operands[i], lane);
    store_floats(d[i][1], file, operands[i], lane + 16);
  }
}

/// m8n8k4 as sm_80 and later run it: d = c + fma(a3,b3, fma(a2,b2, fma(a1,b1, fma(a0,b0, +0)))). Products are
/// exact in FP32, so a multiply and an add round as one FMA where a target has none.
HWY_INLINE void fma_lowered_m8n8k4(std::byte* file, const std::uint32_t* operands, std::size_t lane) {
  const F32 df;
  M8N8K4Operands in;
  load_operands(file, operands, lane, in);

  Floats d[8][2];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    d[i][0] = load_floats(file, operands[m8n8k4_c + i], lane);
    d[i][1] = load_floats(file, operands[m8n8k4_c + i], lane + 16);
  }
  Floats poison = hn::Zero(df);  // NaN once an output is infinite or NaN
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const M8N8K4Products terms = products_of(in, i, half);
      Floats sum = hn::MulAdd(terms.a[0], terms.b[0], hn::Zero(df));
#pragma GCC unroll 3
      for (int k = 1; k < 4; ++k) sum = hn::MulAdd(terms.a[k], terms.b[k], sum);
      d[i][half] = hn::Add(d[i][half], sum);
      poison = hn::MulAdd(d[i][half], hn::Zero(df), poison);
    }
  }
  if (HWY_UNLIKELY(!hn::AllFalse(df, hn::IsNaN(poison)))) {
    const Floats nan = hn::BitCast(df, hn::Set(I32(), 0x7FFFFFFF));
    for (int i = 0; i < 8; ++i) {
      for (int half = 0; half < 2; ++half) {
        d[i][half] = hn::IfThenElse(hn::IsNaN(d[i][half]), nan, d[i][half]);
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    store_floats(d[i][0], file, operands[i], lane);
    store_floats(d[i][1], file, operands[i], lane + 16);
  }
}

}  // namespace quadpair::reference::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
