// FP16 arithmetic by the CPU's own instructions (AVX512-FP16), with which no other target has anything in
// common.
#include "harness/device/emulator/domain.hpp"
#include "harness/device/emulator/opcodes/opcodes.hpp"
#include "harness/device/emulator/opcodes/targets.hpp"
#include "hwy/highway.h"

#if HWY_ARCH_X86_64 && __has_include(<avx512fp16intrin.h>)
#include <cpuid.h>
#include <immintrin.h>

namespace quadpair::emulator {
namespace {

#define QUADPAIR_FP16 __attribute__((target("avx512fp16")))

enum class Operation { add, sub, mul, fma };

template <Operation O>
QUADPAIR_FP16 inline __m512h apply(__m512h a, __m512h b, __m512h c) {
  switch (O) {
    case Operation::add: return _mm512_add_ph(a, b);
    case Operation::sub: return _mm512_sub_ph(a, b);
    case Operation::mul: return _mm512_mul_ph(a, b);
    case Operation::fma: return _mm512_fmadd_ph(a, b, c);
  }
  return a;
}

/// Elements: 32, or 64 in pairs.
template <Operation O, int Elements, bool Full, class Domain>
QUADPAIR_FP16 const Instruction* halves(const Instruction* ip, std::byte* file, Context* context) {
  const std::uint32_t to = ip->d, a = ip->a, b = ip->b, c = O == Operation::fma ? ip->c : ip->a;
  for (const std::uint32_t source : {a, b, c}) Domain::read(ip, context, source);
  const __m512i nan = _mm512_set1_epi16(0x7fff);
  for (int i = 0; i < Elements / 32; ++i) {
    const auto source = [&](std::uint32_t offset) QUADPAIR_FP16 {
      return _mm512_castsi512_ph(_mm512_load_si512(file + offset + 64 * i));
    };
    const __m512h exact = apply<O>(source(a), source(b), source(c));
    const __mmask32 unordered = _mm512_cmp_ph_mask(exact, exact, _CMP_UNORD_Q);
    const __m512i result = _mm512_mask_mov_epi16(_mm512_castph_si512(exact), unordered, nan);
    if (Full)
      _mm512_store_si512(file + to + 64 * i, result);
    else if (Elements == 32)
      _mm512_mask_storeu_epi16(file + to, context->active, result);
    else
      _mm512_mask_store_epi32(file + to + 64 * i, static_cast<__mmask16>(context->active >> (16 * i)),
                              result);
  }
  Domain::write(ip, context, to);
  QUADPAIR_CONTINUE(ip + 1);
}

/// d = b times the field of a (list: rotation and mask), both FP16x2.
template <bool Full, class Domain>
QUADPAIR_FP16 const Instruction* field_product(const Instruction* ip, std::byte* file, Context* context) {
  const std::uint32_t to = ip->d, from = ip->a, with = ip->b;
  Domain::read(ip, context, from);
  Domain::read(ip, context, with);
  const __m512i rotation = _mm512_set1_epi32(static_cast<int>(ip->list[0]));
  const __m512i mask = _mm512_set1_epi32(static_cast<int>(ip->list[1]));
  const __m512i nan = _mm512_set1_epi16(0x7fff);
  for (int i = 0; i < 2; ++i) {
    const __m512i rotated =
        _mm512_maskz_rolv_epi32(0xffff, _mm512_load_si512(file + from + 64 * i), rotation);
    const __m512h product = _mm512_mul_ph(_mm512_castsi512_ph(_mm512_and_si512(rotated, mask)),
                                          _mm512_castsi512_ph(_mm512_load_si512(file + with + 64 * i)));
    const __mmask32 unordered = _mm512_cmp_ph_mask(product, product, _CMP_UNORD_Q);
    const __m512i result = _mm512_mask_mov_epi16(_mm512_castph_si512(product), unordered, nan);
    if (Full)
      _mm512_store_si512(file + to + 64 * i, result);
    else
      _mm512_mask_store_epi32(file + to + 64 * i, static_cast<__mmask16>(context->active >> (16 * i)),
                              result);
  }
  Domain::write(ip, context, to);
  QUADPAIR_CONTINUE(ip + 1);
}

template <Operation O, int Elements>
constexpr Opcode opcode(std::string_view mnemonic) {
  using D = PlainDomain;
  constexpr std::uint8_t width = Elements / 2, third = O == Operation::fma ? width : 0;
  return {mnemonic,
          Kind::fp16,
          Form::plain,
          {width, width, width, third},
          {halves<O, Elements, true, D>, halves<O, Elements, false, D>},
          {}};
}

constexpr Opcode table[] = {
    opcode<Operation::add, 32>("add.f16"),
    opcode<Operation::add, 32>("add.rn.f16"),
    opcode<Operation::sub, 32>("sub.f16"),
    opcode<Operation::sub, 32>("sub.rn.f16"),
    opcode<Operation::mul, 32>("mul.f16"),
    opcode<Operation::mul, 32>("mul.rn.f16"),
    opcode<Operation::fma, 32>("fma.rn.f16"),
    opcode<Operation::add, 64>("add.f16x2"),
    opcode<Operation::add, 64>("add.rn.f16x2"),
    opcode<Operation::sub, 64>("sub.f16x2"),
    opcode<Operation::sub, 64>("sub.rn.f16x2"),
    opcode<Operation::mul, 64>("mul.f16x2"),
    opcode<Operation::mul, 64>("mul.rn.f16x2"),
    opcode<Operation::fma, 64>("fma.rn.f16x2"),
    {"mul+field",
     Kind::fp16,
     Form::fields,
     {},
     {field_product<true, PlainDomain>, field_product<false, PlainDomain>},
     {}},
};

/// CPUID 7.0, EDX: __builtin_cpu_supports does not know the feature in every compiler.
bool cpu_has_fp16() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & bit_AVX512FP16) != 0;
}

}  // namespace

std::span<const Opcode> native_half_opcodes() {
  const bool chosen = (hwy::SupportedTargets() & HWY_AVX3) != 0;  // the system keeps the registers too
  if (chosen && cpu_has_fp16()) return table;
  return {};
}

}  // namespace quadpair::emulator

#else

std::span<const quadpair::emulator::Opcode> quadpair::emulator::native_half_opcodes() {
  return {};
}

#endif
