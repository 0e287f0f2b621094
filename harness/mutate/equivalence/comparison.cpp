#include "harness/mutate/equivalence/comparison.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace quadpair::mutate {
namespace {

/// Values of an operand are looked at one by one up to so many.
constexpr std::uint64_t most_looked_at = 4096;

bool holds(const std::string& relation, bool less, bool equal) {
  if (relation == "eq") return equal;
  if (relation == "ne") return !equal;
  if (relation == "lt") return less;
  if (relation == "le") return less || equal;
  if (relation == "gt") return !less && !equal;
  return !less;
}

bool of(const Comparison& c, std::uint64_t a, std::uint64_t b) {
  // Two's complement in the order of unsigned numbers: the sign turned round.
  const std::uint64_t turn = c.is_signed ? std::uint64_t{1} << (c.width - 1) : 0;
  return holds(c.relation, (a ^ turn) < (b ^ turn), a == b);
}

bool same_operand(const ptx::Operand& a, const ptx::Operand& b) {
  return a.kind == b.kind && a.reg == b.reg && a.value == b.value && a.name == b.name &&
         a.negated == b.negated;
}

/// The other way round.
Comparison turned(Comparison c) {
  std::swap(c.a, c.b);
  constexpr std::array<std::pair<const char*, const char*>, 4> turns = {
      {{"lt", "gt"}, {"gt", "lt"}, {"le", "ge"}, {"ge", "le"}}};
  for (const auto& [from, to] : turns)
    if (c.relation == from) {
      c.relation = to;
      break;
    }
  return c;
}

/// With a relation that says no more than is needed: unsigned where the sign says nothing.
Comparison simplified(Comparison c, const Value& a, const Value& b) {
  if (c.relation == "eq" || c.relation == "ne" || (a.is_natural() && b.is_natural())) c.is_signed = false;
  if (c.is_signed) return c;
  const std::string& r = c.relation;
  if (a.highest <= b.lowest && (r == "lt" || r == "ge")) c.relation = r == "lt" ? "ne" : "eq";
  if (a.lowest >= b.highest && (r == "gt" || r == "le")) c.relation = r == "gt" ? "ne" : "eq";
  return c;
}

/// Of one operand with a constant each: the same for every number that the operand may be?
bool agree_on_constants(const Comparison& first, std::uint64_t b, const Comparison& second, std::uint64_t d,
                        const Value& a) {
  // The outcomes change at the constants, at 0 and where the sign changes: between, all are alike.
  std::vector<std::uint64_t> cuts = {a.lowest};
  const std::uint64_t mask = mask_of(a.width), sign = std::uint64_t{1} << (a.width - 1);
  for (const std::uint64_t c : {b, d, sign})
    for (const std::uint64_t cut : {c & mask, (c + 1) & mask})
      if (cut > a.lowest && cut <= a.highest) cuts.push_back(cut);
  std::ranges::sort(cuts);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (of(first, cuts[i], b) == of(second, cuts[i], d)) continue;
    const std::uint64_t last = i + 1 < cuts.size() ? cuts[i + 1] - 1 : a.highest;
    if (last < cuts[i]) continue;
    if (last - cuts[i] >= most_looked_at) return false;
    for (std::uint64_t v = cuts[i]; v <= last; ++v)
      if (a.may_be(v)) return false;
  }
  return true;
}

}  // namespace

std::optional<Comparison> comparison_of(const ptx::Instruction& instruction) {
  const std::string& m = instruction.mnemonic;
  if (!m.starts_with("setp.") || m.size() < 11 || instruction.operands.size() != 3) return std::nullopt;
  Comparison c;
  c.relation = m.substr(5, 2);
  const char type = m[8];
  if (m[7] != '.' || (type != 'u' && type != 's' && type != 'b')) return std::nullopt;
  const auto [end, error] = std::from_chars(m.data() + 9, m.data() + m.size(), c.width);
  if (error != std::errc{} || end != m.data() + m.size()) return std::nullopt;
  c.is_signed = type == 's';
  c.a = instruction.operands[1];
  c.b = instruction.operands[2];
  return c;
}

std::optional<bool> decided(const Comparison& c, const Value& a, const Value& b) {
  if (a.is_constant() && b.is_constant()) return of(c, a.lowest, b.lowest);
  const bool apart =
      a.highest < b.lowest || b.highest < a.lowest || (a.ones & b.zeros) != 0 || (a.zeros & b.ones) != 0;
  if (apart && c.relation == "eq") return false;
  if (apart && c.relation == "ne") return true;
  if (c.is_signed && !(a.is_natural() && b.is_natural())) return std::nullopt;
  if (c.relation == "lt" || c.relation == "ge") {
    if (a.highest < b.lowest) return c.relation == "lt";
    if (a.lowest >= b.highest) return c.relation == "ge";
  }
  if (c.relation == "gt" || c.relation == "le") {
    if (a.lowest > b.highest) return c.relation == "gt";
    if (a.highest <= b.lowest) return c.relation == "le";
  }
  return std::nullopt;
}

bool agree(const Comparison& first, const Value& a, const Value& b, const Comparison& second, const Value& c,
           const Value& d) {
  if (first.width != second.width) return false;
  const auto one = decided(first, a, b), other = decided(second, c, d);
  if (one && other) return *one == *other;
  if (same_operand(first.a, second.b) && same_operand(first.b, second.a) && !same_operand(first.a, first.b))
    return agree(first, a, b, turned(second), d, c);
  if (!same_operand(first.a, second.a)) return false;
  if (b.is_constant() && d.is_constant()) return agree_on_constants(first, b.lowest, second, d.lowest, a);
  if (!same_operand(first.b, second.b)) return false;
  const Comparison x = simplified(first, a, b), y = simplified(second, c, d);
  return x.relation == y.relation && x.is_signed == y.is_signed;
}

}  // namespace quadpair::mutate
