#include "tests/device/emulator/random_program.hpp"

#include <fmt/format.h>

#include <random>

namespace quadpair::device {
namespace {

constexpr int registers = 8;  // of each class

/// R, D, H, P: a destination of 32, 64, 16 bits, a predicate; r, d, h, p: sources; i: a constant; s: a small
/// one.
constexpr const char* templates[] = {
    "add.s32 R, r, r",
    "add.u32 R, r, i",
    "sub.s32 R, r, r",
    "mul.lo.s32 R, r, r",
    "mul.lo.u32 R, r, i",
    "mad.lo.s32 R, r, r, r",
    "mul.hi.u32 R, r, r",
    "mul.hi.s32 R, r, r",
    "mul.wide.s32 D, r, r",
    "mul.wide.u32 D, r, i",
    "mad.wide.u32 D, r, r, d",
    "mul.wide.u16 R, h, h",
    "mul.wide.s16 R, h, h",
    "min.s32 R, r, r",
    "max.u32 R, r, r",
    "min.u64 D, d, d",
    "max.s64 D, d, d",
    "min.s16 H, h, h",
    "neg.s32 R, r",
    "abs.s32 R, r",
    "abs.s16 H, h",
    "add.s64 D, d, d",
    "add.u64 D, d, i",
    "sub.s64 D, d, d",
    "mul.lo.u64 D, d, d",
    "add.u16 H, h, h",
    "mul.lo.u16 H, h, h",
    "and.b32 R, r, r",
    "and.b32 R, r, i",
    "or.b32 R, r, r",
    "xor.b64 D, d, d",
    "not.b16 H, h",
    "not.b32 R, r",
    "and.b16 H, h, i",
    "or.b16 H, h, h",
    "shl.b32 R, r, s",
    "shl.b32 R, r, r",
    "shr.u32 R, r, s",
    "shr.s32 R, r, r",
    "shl.b64 D, d, s",
    "shr.s64 D, d, s",
    "shr.u64 D, d, r",
    "shl.b16 H, h, s",
    "shr.s16 H, h, s",
    "shr.u16 H, h, s",
    "popc.b32 R, r",
    "clz.b64 R, d",
    "brev.b32 R, r",
    "bfe.u32 R, r, s, s",
    "bfe.s32 R, r, r, r",
    "bfi.b32 R, r, r, s, s",
    "bfi.b32 R, r, r, r, s",
    "bfi.b64 D, d, d, r, r",
    "prmt.b32 R, r, r, i",
    "prmt.b32 R, r, r, r",
    "lop3.b32 R, r, r, r, s",
    "shf.l.wrap.b32 R, r, r, r",
    "shf.r.clamp.b32 R, r, r, s",
    "selp.b32 R, r, r, p",
    "selp.b64 D, d, d, p",
    "selp.b16 H, h, h, p",
    "setp.lt.s32 P, r, r",
    "setp.hs.u32 P, r, i",
    "setp.ne.s64 P, d, d",
    "setp.le.s16 P, h, h",
    "setp.gt.u64 P, d, d",
    "setp.geu.f32 P, r, r",
    "setp.neu.f32 P, r, r",
    "setp.num.f32 P, r, r",
    "setp.lt.f16 P, h, h",
    "setp.lt.and.s32 P, r, r, p",
    "xor.pred P, p, p",
    "not.pred P, p",
    "add.rn.f32 R, r, r",
    "sub.f32 R, r, r",
    "mul.rn.f32 R, r, r",
    "fma.rn.f32 R, r, r, r",
    "div.rn.f32 R, r, r",
    "sqrt.rn.f32 R, r",
    "min.f32 R, r, r",
    "max.f32 R, r, r",
    "neg.f32 R, r",
    "abs.f32 R, r",
    "add.f16 H, h, h",
    "sub.f16 H, h, h",
    "mul.f16 H, h, h",
    "fma.rn.f16 H, h, h, h",
    "min.f16 H, h, h",
    "add.f16x2 R, r, r",
    "mul.f16x2 R, r, r",
    "mul.rn.f16x2 R, r, r",
    "fma.rn.f16x2 R, r, r, r",
    "max.f16x2 R, r, r",
    "neg.f16x2 R, r",
    "cvt.f32.f16 R, h",
    "cvt.rn.f16.f32 H, r",
    "cvt.rn.f16x2.f32 R, r, r",
    "cvt.rn.f32.s32 R, r",
    "cvt.rn.f32.u32 R, r",
    "cvt.rzi.s32.f32 R, r",
    "cvt.rni.u32.f32 R, r",
    "cvt.s64.s32 D, r",
    "cvt.u64.u32 D, r",
    "cvt.u32.u64 R, d",
    "cvt.u16.u32 H, r",
    "cvt.s32.s16 R, h",
    "cvt.u32.u16 R, h",
    "cvt.s32.s8 R, r",
    "mov.b32 R, {h, h}",
    "mov.b64 D, {r, r}",
    "mov.u32 R, %laneid",
    "mov.u32 R, i",
    "and.b32 R, r, i",
    "shl.b32 R, r, s",
    "shr.b32 R, r, s",
    "lop3.b32 R, r, r, r, 228",
    "mul.rn.f16x2 R, r, i",
    "mov.b64 D, d",
    "mov.b16 H, h",
};

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string instruction() {
    std::string text = pick(8) == 0 ? fmt::format("@{}%p{} ", pick(2) ? "!" : "", pick(registers)) : "";
    const char* form = templates[pick(std::size(templates))];
    for (const char* at = form; *at != '\0'; ++at) {
      const bool alone =
          at != form && (at[-1] == ' ' || at[-1] == '{') && (at[1] == ',' || at[1] == '\0' || at[1] == '}');
      text += alone ? operand(*at) : std::string(1, *at);
    }
    return text + ";\n";
  }

  /// Instructions, a third of them under a branch.
  void body(int length, std::string& text) {
    while (length > 0) {
      const int run = 1 + static_cast<int>(pick(5));
      const bool branch = pick(3) == 0;
      const int label = labels_++;
      if (branch) text += fmt::format("@{}%p{} bra L{};\n", pick(2) ? "!" : "", pick(registers), label);
      if (branch && pick(2) == 0)
        body(run, text);
      else
        for (int i = 0; i < run; ++i) text += instruction();
      if (branch) text += fmt::format("L{}:\n", label);
      length -= run;
    }
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }

  std::string operand(char kind) {
    switch (kind) {
      case 'R':
      case 'r': return fmt::format("%r{}", pick(registers));
      case 'D':
      case 'd': return fmt::format("%d{}", pick(registers));
      case 'H':
      case 'h': return fmt::format("%h{}", pick(registers));
      case 'P':
      case 'p': return fmt::format("%p{}", pick(registers));
      case 's': return fmt::format("{}", pick(70));
      default: return fmt::format("{}", static_cast<std::int32_t>(random_()) >> pick(32));
    }
  }

  std::mt19937_64 random_;
  int labels_ = 0;
};

}  // namespace

std::string random_program(std::uint64_t seed, int length) {
  std::string text =
      ".reg .b32 %r<8>, %t, %u, %n; .reg .b64 %d<8>, %in, %out, %i; .reg .b16 %h<8>; .reg .pred %p<8>;\n"
      "mov.u32 %t, %tid.x; mov.u32 %u, %ctaid.x; mov.u32 %n, %ntid.x; mad.lo.u32 %t, %u, %n, %t;\n" +
      fmt::format(
          "ld.param.u64 %in, [in]; mul.wide.u32 %i, %t, {}; add.u64 %in, %in, %i;\n"
          "ld.param.u64 %out, [out]; mul.wide.u32 %i, %t, {}; add.u64 %out, %out, %i;\n",
          random_program_input, random_program_output);
  for (int k = 0; k < registers; ++k)
    text += fmt::format(
        "ld.global.u32 %r{0}, [%in+{1}]; ld.global.u64 %d{0}, [%in+{2}]; ld.global.u16 %h{0}, "
        "[%in+{3}]; setp.lt.s32 %p{0}, %r{0}, 0;\n",
        k, 4 * k, 8 * k, 2 * k + 32);
  Writer(seed).body(length, text);
  for (int k = 0; k < registers; ++k)
    text += fmt::format(
        "st.global.u32 [%out+{1}], %r{0}; st.global.u64 [%out+{2}], %d{0}; st.global.u16 "
        "[%out+{3}], %h{0}; selp.u32 %t, 1, 0, %p{0}; st.global.u32 [%out+{4}], %t;\n",
        k, 64 + 4 * k, 8 * k, 96 + 2 * k, 112 + 4 * k);
  return text + "ret;";
}

}  // namespace quadpair::device
