#include "harness/device/emulator/ptx/declarations.hpp"

#include <bit>
#include <charconv>

namespace quadpair::ptx {
namespace {

/// Larger than any window of shared memory or parameters; keeps offsets far from overflow.
constexpr std::uint64_t largest_variable = 1u << 20;

/// Bytes of a fundamental type; 0 for what is none.
std::uint32_t type_bytes(std::string_view type) {
  if (type == ".f16x2" || type == ".bf16x2") return 4;
  if (type == ".bf16") return 2;
  if (type.size() < 3 || std::string_view("busf").find(type[1]) == std::string_view::npos) return 0;
  std::uint32_t bits = 0;
  const char* const end = type.data() + type.size();
  if (std::from_chars(type.data() + 2, end, bits).ptr != end) return 0;
  const bool known = bits == 16 || bits == 32 || bits == 64 || (bits == 8 && type[1] != 'f');
  return known ? bits / 8 : 0;
}

std::uint32_t parse_align(Cursor& cursor) {
  const Token& token = cursor.peek();
  const std::uint32_t align = cursor.small_number("alignment");
  if (!std::has_single_bit(align) || align > 4096) cursor.fail("alignment is no power of two", token);
  return align;
}

std::uint32_t parse_type(Cursor& cursor) {
  const Token& token = cursor.peek();
  const std::uint32_t bytes = type_bytes(cursor.directive("type"));
  if (bytes == 0) cursor.fail("unknown type", token);
  return bytes;
}

/// `.ptr [.space] [.align N]`: tells of what a pointer points to, not of the parameter.
void skip_pointer_attributes(Cursor& cursor) {
  for (std::string_view space : {".global", ".shared", ".const", ".local"})
    if (cursor.accept(space)) break;
  if (cursor.accept(".align")) parse_align(cursor);
}

}  // namespace

Variable parse_variable(Cursor& cursor) {
  Variable variable;
  const bool aligned = cursor.accept(".align");
  if (aligned) variable.align = parse_align(cursor);
  std::uint64_t size = parse_type(cursor);
  if (!aligned) variable.align = static_cast<std::uint32_t>(size);
  if (cursor.accept(".ptr")) skip_pointer_attributes(cursor);
  variable.name = cursor.word("name");
  while (cursor.accept('[')) {
    size *= cursor.at(']') ? 0 : cursor.small_number("array size");
    if (size > largest_variable) cursor.fail("variable is too large");
    cursor.expect(']');
  }
  variable.size = static_cast<std::uint32_t>(size);
  return variable;
}

RegisterClass parse_register_class(Cursor& cursor) {
  if (cursor.accept(".pred")) return RegisterClass::predicate;
  const Token& token = cursor.peek();
  switch (parse_type(cursor)) {
    case 2: return RegisterClass::b16;
    case 4: return RegisterClass::b32;
    case 8: return RegisterClass::b64;
    default: cursor.fail("registers of this type are not supported", token);
  }
}

}  // namespace quadpair::ptx
