// What the QPN2 operators admit, in one place.
#include "kernels/qpn2/admission.hpp"

#include "kernels/common/check.hpp"

namespace quadpair::qpn2 {
namespace {

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace

std::optional<std::string> why_refused(std::uint32_t m, std::uint32_t n, std::uint32_t k, Tuning tuning,
                                       Target target, bool gated) {
  const std::uint32_t s = tuning.split_k, c = tuning.chains;
  if (m > max_rows) return "M=" + number(m) + ": at most " + number(max_rows) + " rows";
  if (n == 0) return "N=0: no output features";
  if (gated && n % 2 != 0) return "N=" + number(n) + ": gate and up need an even number of rows";
  if (k == 0 || k % 64 != 0) return "K=" + number(k) + ": not a positive multiple of 64";
  const bool native_plain = target != Target::sm70 && !gated;
  if (s != 8 && s != 16 && s != 32 && !(s == 12 && native_plain))
    return "S=" + number(s) + ": not 8, " + (native_plain ? "12, " : "") + "16 or 32";
  if (gated && s == 32) return "S=32: gated admits 8 and 16 only";
  if (c != 1 && c != 2) return "C=" + number(c) + ": not 1 or 2";
  if (target == Target::sm70 && k / 16 % s != 0)
    return "K=" + number(k) + " with S=" + number(s) + ": " + number(k / 16) +
           " groups of 16 do not divide into " + number(s) + " slices";
  return std::nullopt;
}

void require_admitted(const GemmArguments& a, Tuning tuning, Target target, bool gated) {
  const std::string who = gated ? "qpn2_gated: " : "qpn2_gemm: ";
  if (const auto reason = why_refused(a.m, a.n, a.k, tuning, target, gated)) throw Refused(who + *reason);
  if (a.m == 0) return;  // touches nothing, so needs nothing
  const std::uint32_t width = gated ? a.n / 2 : a.n;
  require(a.codes != 0 && a.codes % 16 == 0, who + "codes are null or not 16-byte aligned");
  require(a.scales != 0 && a.scales % 16 == 0, who + "scales are null or not 16-byte aligned");
  require(a.x != 0 && a.x % 16 == 0, who + "x is null or not 16-byte aligned");
  require(a.y != 0 && a.y % 2 == 0, who + "y is null or not 2-byte aligned");
  require(a.ldx >= a.k, who + "ldx=" + number(a.ldx) + " is less than K=" + number(a.k));
  require(a.ldx % 8 == 0,
          who + "ldx=" + number(a.ldx) + " is not a multiple of 8: rows must be 16-byte aligned");
  require(a.ldx <= max_ldx, who + "ldx=" + number(a.ldx) + " is more than " + number(max_ldx));
  require(a.ldy >= width,
          who + "ldy=" + number(a.ldy) + " is less than the " + number(width) + " columns of y");
  require(a.global.tiles % 2 == 0, who + "global scales are not 2-byte aligned");
  require(a.global.tiles != 0 || (a.global.value > 0 && a.global.value < 0x7C00),
          who + "the global scale is not a positive finite FP16 number");
}

}  // namespace quadpair::qpn2
