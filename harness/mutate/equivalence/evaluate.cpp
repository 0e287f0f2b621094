#include "harness/mutate/equivalence/evaluate.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <memory>

#include "harness/mutate/equivalence/comparison.hpp"

namespace quadpair::mutate {
namespace {

std::string_view base_of(std::string_view mnemonic) {
  return mnemonic.substr(0, mnemonic.find('.'));
}

bool is_float(std::string_view mnemonic) {
  return mnemonic.find(".f") != std::string_view::npos;
}

/// The parts after the first.
std::vector<std::string_view> types_of(std::string_view mnemonic) {
  std::vector<std::string_view> parts = ptx::parts_of(mnemonic);
  parts.erase(parts.begin());
  return parts;
}

unsigned width_of_type(std::string_view type) {
  if (type == "pred") return 1;
  unsigned width = 0;
  if (type.size() < 2) return 0;
  std::from_chars(type.data() + 1, type.data() + type.size(), width);
  return width;
}

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b, std::uint64_t most) {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result > most) return std::nullopt;
  return result;
}

std::optional<std::uint64_t> total(std::uint64_t a, std::uint64_t b, std::uint64_t most) {
  std::uint64_t result = 0;
  if (__builtin_add_overflow(a, b, &result) || result > most) return std::nullopt;
  return result;
}

Value sum_of(const Value& a, const Value& b) {
  const std::uint64_t most = mask_of(a.width);
  if (const auto highest = total(a.highest, b.highest, most))
    return Value::between(a.width, a.lowest + b.lowest, *highest);
  // Of two numbers one of which is negative: all sums run over, or none.
  if (!total(a.lowest, b.lowest, most) && a.width < 64)
    return Value::between(a.width, (a.lowest + b.lowest) & most, (a.highest + b.highest) & most);
  return Value::any(a.width);
}

Value product_of(const Value& a, const Value& b, unsigned width) {
  const auto highest = product(a.highest, b.highest, mask_of(width));
  Value value = highest ? Value::between(width, a.lowest * b.lowest, *highest) : Value::any(width);
  const auto even = [](const Value& v) { return static_cast<unsigned>(std::countr_one(v.zeros)); };
  const unsigned zeros = std::min(width, even(a) + even(b));
  value.zeros |= mask_of(zeros);
  return value.tightened();
}

/// The bits of a product: those of the one factor, moved up, where the other is a power of two.
Bits multiplied(const Bits& a, const Value& factor, const Value& product) {
  if (!factor.is_constant() || !std::has_single_bit(factor.lowest)) return bits_of(product, -1);
  return shifted_left(a, static_cast<unsigned>(std::countr_zero(factor.lowest)));
}

/// What both say.
Value meeting(const Value& a, const Value& b) {
  Value value = a;
  value.lowest = std::max(a.lowest, b.lowest);
  value.highest = std::min(a.highest, b.highest);
  value.zeros |= b.zeros;
  value.ones |= b.ones;
  return value.tightened();
}

}  // namespace

unsigned operand_width(std::string_view mnemonic) {
  const auto types = types_of(mnemonic);
  return types.empty() ? 0 : width_of_type(types.back());
}

Value Evaluator::value(const ptx::Operand& operand, unsigned width) const {
  if (operand.kind == ptx::OperandKind::immediate) return Value::constant(width, operand.value);
  if (operand.kind == ptx::OperandKind::special && width == 32) {
    const auto at = place_of_special(entry_, operand.name);
    return at ? known_[*at] : Value::any(width);
  }
  if (operand.kind != ptx::OperandKind::reg) return Value::any(width);
  const Value& known = known_[static_cast<std::size_t>(operand.reg)];
  return known.width == width && !operand.negated ? refined(known, known_) : Value::any(width);
}

Bits Evaluator::bits(const ptx::Operand& operand, unsigned width) const {
  const bool same = operand.kind == ptx::OperandKind::reg && !operand.negated &&
                    width_of(entry_.registers[static_cast<std::size_t>(operand.reg)].cls) == width;
  return bits_of(value(operand, width), same ? operand.reg : -1);
}

/// Those of special registers, which stand after the entry's; the others are left out.
std::shared_ptr<const Bits> Evaluator::of_specials(Bits bits) const {
  const auto is_special = [&](const Bit& bit) {
    return bit.reg >= static_cast<int>(entry_.registers.size());
  };
  if (std::ranges::none_of(bits, is_special)) return nullptr;
  for (Bit& bit : bits)
    if (!is_special(bit)) bit = Bit{};
  return std::make_shared<const Bits>(std::move(bits));
}

std::optional<bool> Evaluator::outcome(const ptx::Instruction& comparison) const {
  const auto compared = comparison_of(comparison);
  if (!compared) return std::nullopt;
  return decided(*compared, value(compared->a, compared->width), value(compared->b, compared->width));
}

Evaluated Evaluator::result(const ptx::Instruction& instruction) const {
  const unsigned destination =
      width_of(entry_.registers[static_cast<std::size_t>(instruction.defs.at(0))].cls);
  const std::string_view name = base_of(instruction.mnemonic);
  const unsigned width = operand_width(instruction.mnemonic);
  std::optional<Evaluated> found;
  if (name == "setp") {
    if (const auto known = outcome(instruction)) found = of_bits({bit_of(*known)});
  } else if (name == "ld") {
    found = load(instruction, width);
  } else if ((!is_float(instruction.mnemonic) && instruction.mnemonic.find(".sat") == std::string::npos) ||
             name == "mov") {
    found = logical(instruction, width);
    if (!found) found = shift(instruction, width);
    if (!found) found = arithmetic(instruction, width);
    if (!found) found = move(instruction, width);
  }
  if (!found || found->value.width != destination) found = Evaluated{Value::any(destination), {}};
  if (found->bits.empty()) found->bits = bits_of(found->value, -1);
  found->value.made_of = of_specials(found->bits);
  return *found;
}

std::optional<Evaluated> Evaluator::logical(const ptx::Instruction& i, unsigned width) const {
  const std::string_view name = base_of(i.mnemonic);
  const auto& o = i.operands;
  const Bits none(width, bit_of(false));
  if (name == "and") return of_bits(logic(bits(o[1], width), bits(o[2], width), none, 0xC0));
  if (name == "or") return of_bits(logic(bits(o[1], width), bits(o[2], width), none, 0xFC));
  if (name == "xor") return of_bits(logic(bits(o[1], width), bits(o[2], width), none, 0x3C));
  if (name == "not") return of_bits(logic(bits(o[1], width), none, none, 0x0F));
  if (name == "lop3" && o[4].kind == ptx::OperandKind::immediate)
    return of_bits(
        logic(bits(o[1], width), bits(o[2], width), bits(o[3], width), static_cast<unsigned>(o[4].value)));
  if (name == "prmt" && i.mnemonic == "prmt.b32") {
    const Value selector = value(o[3], 32);
    if (selector.is_constant()) return of_bits(permuted(bits(o[1], 32), bits(o[2], 32), selector.lowest));
  }
  return std::nullopt;
}

std::optional<Evaluated> Evaluator::shift(const ptx::Instruction& i, unsigned width) const {
  const std::string_view name = base_of(i.mnemonic);
  const auto& o = i.operands;
  if (name == "shl" || name == "shr") {
    const Value by = value(o[2], 32);
    if (!by.is_constant()) return std::nullopt;
    const Bits from = bits(o[1], width);
    if (name == "shl") return of_bits(shifted_left(from, by.lowest));
    const bool is_signed = i.mnemonic.find(".s") != std::string::npos;
    Evaluated shifted = of_bits(shifted_right(from, by.lowest, is_signed ? from.back() : bit_of(false)));
    const Value source = value(o[1], width);
    if (!is_signed && by.lowest < width)
      shifted.value = meeting(shifted.value,
                              Value::between(width, source.lowest >> by.lowest, source.highest >> by.lowest));
    return shifted;
  }
  if (name == "bfi") {
    const Value at = value(o[3], 32), length = value(o[4], 32);
    if (!at.is_constant() || !length.is_constant() || at.lowest > width || length.lowest > width)
      return std::nullopt;
    Bits result = bits(o[2], width);
    const Bits inserted = bits(o[1], width);
    for (std::uint64_t b = 0; b < length.lowest && at.lowest + b < width; ++b)
      result[at.lowest + b] = inserted[b];
    return of_bits(std::move(result));
  }
  if (name == "bfe" && i.mnemonic.find(".u") != std::string::npos) {
    const Value at = value(o[2], 32), length = value(o[3], 32);
    if (!at.is_constant() || !length.is_constant() || length.lowest > width) return std::nullopt;
    const Bits moved = shifted_right(bits(o[1], width), at.lowest, bit_of(false));
    return of_bits(
        resized(resized(moved, static_cast<unsigned>(length.lowest), bit_of(false)), width, bit_of(false)));
  }
  return std::nullopt;
}

std::optional<Evaluated> Evaluator::arithmetic(const ptx::Instruction& i, unsigned width) const {
  const std::string& name = i.mnemonic;
  const auto& o = i.operands;
  const auto adding = [&](const Bits& a, const Bits& b, const Value& numbers) {
    Evaluated result = of_bits(sum(a, b));
    result.value = meeting(result.value, numbers);
    return result;
  };
  if (name == "add.s32" || name == "add.u32" || name == "add.s64" || name == "add.u64" || name == "add.s16")
    return adding(bits(o[1], width), bits(o[2], width), sum_of(value(o[1], width), value(o[2], width)));
  if (name.starts_with("sub.")) {
    const Value a = value(o[1], width), b = value(o[2], width);
    // a + ~b + 1
    Evaluated result =
        of_bits(sum(bits(o[1], width),
                    logic(bits(o[2], width), Bits(width, bit_of(false)), Bits(width, bit_of(false)), 0x0F),
                    bit_of(true)));
    if (a.lowest >= b.highest)
      result.value = meeting(result.value, Value::between(width, a.lowest - b.highest, a.highest - b.lowest));
    return result;
  }
  if (name.starts_with("mul.lo.") || name.starts_with("mad.lo.")) {
    const Value factor = value(o[1], width), other = value(o[2], width);
    const Value product = product_of(factor, other, width);
    Bits product_bits = multiplied(bits(o[1], width), other, product);
    if (name.starts_with("mul.")) return Evaluated{product, std::move(product_bits)};
    return adding(product_bits, bits(o[3], width), sum_of(product, value(o[3], width)));
  }
  if (name.starts_with("mul.wide.u")) {
    const Value other = value(o[2], width), product = product_of(value(o[1], width), other, 2 * width);
    return Evaluated{product,
                     multiplied(resized(bits(o[1], width), 2 * width, bit_of(false)), other, product)};
  }
  if (name.starts_with("mul.wide.s") && value(o[1], width).is_natural() && value(o[2], width).is_natural())
    return Evaluated{product_of(value(o[1], width), value(o[2], width), 2 * width), {}};
  if (name.starts_with("min.u")) {
    const Value a = value(o[1], width), b = value(o[2], width);
    return Evaluated{Value::between(width, std::min(a.lowest, b.lowest), std::min(a.highest, b.highest)), {}};
  }
  return std::nullopt;
}

/// An argument, or a number from memory.
std::optional<Evaluated> Evaluator::load(const ptx::Instruction& i, unsigned width) const {
  if (i.operands.at(0).kind != ptx::OperandKind::reg || i.defs.size() != 1) return std::nullopt;
  const unsigned destination = width_of(entry_.registers[static_cast<std::size_t>(i.defs.front())].cls);
  const char type = types_of(i.mnemonic).back()[0];
  const ptx::Operand& address = i.operands.at(1);
  for (std::size_t p = 0; p < entry_.parameters.size() && i.mnemonic.starts_with("ld.param."); ++p) {
    const std::size_t at = place_of_argument(entry_, p);
    const ptx::Parameter& parameter = entry_.parameters[p];
    if (address.name != parameter.name || address.value != parameter.offset || known_[at].width != width)
      continue;
    Bits loaded = bits_of(known_[at], static_cast<int>(at));
    loaded = resized(loaded, destination, type == 's' ? loaded.back() : bit_of(false));
    Evaluated result = of_bits(std::move(loaded));
    if (known_[at].is_natural())
      result.value =
          meeting(result.value, Value::between(destination, known_[at].lowest, known_[at].highest));
    return result;
  }
  if (type != 'u') return std::nullopt;
  return Evaluated{Value::between(destination, 0, mask_of(std::min(width, destination))), {}};
}

std::optional<Evaluated> Evaluator::move(const ptx::Instruction& i, unsigned width) const {
  const std::string_view name = base_of(i.mnemonic);
  const auto& o = i.operands;
  if (name == "mov" && o[0].kind == ptx::OperandKind::reg && o[1].kind != ptx::OperandKind::vector) {
    Evaluated moved = of_bits(bits(o[1], width));
    moved.value = meeting(moved.value, value(o[1], width));
    return moved;
  }
  if (name == "selp") {
    const Value chooser = value(o[3], 1), a = value(o[1], width), b = value(o[2], width);
    if (chooser.is_constant()) return of_bits(bits(o[chooser.lowest == 1 ? 1 : 2], width));
    return Evaluated{a.joined(b), either(bits(o[1], width), bits(o[2], width))};
  }
  const auto types = types_of(i.mnemonic);
  if (name == "cvt" && types.size() == 2 && types[0][0] != 'f') {
    const auto width_of_register = [&](int reg) {
      return unsigned{width_of(entry_.registers[static_cast<std::size_t>(reg)].cls)};
    };
    const unsigned from = width, to = width_of_type(types[0]), destination = width_of_register(i.defs.at(0)),
                   source = o[1].kind == ptx::OperandKind::reg ? width_of_register(o[1].reg) : from;
    const Value value = this->value(o[1], source);
    Bits moved = resized(bits(o[1], source), from, bit_of(false));
    moved = resized(moved, to, types[1][0] == 's' ? moved.back() : bit_of(false));
    moved = resized(moved, destination, types[0][0] == 's' ? moved.back() : bit_of(false));
    Evaluated result = of_bits(std::move(moved));
    const bool all =
        value.highest <= mask_of(std::min(from, to)) >> (types[1][0] == 's' || types[0][0] == 's');
    if (all) result.value = meeting(result.value, Value::between(destination, value.lowest, value.highest));
    return result;
  }
  return std::nullopt;
}

}  // namespace quadpair::mutate
