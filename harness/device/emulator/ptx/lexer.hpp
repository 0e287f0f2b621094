// PTX text to tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace quadpair::ptx {

enum class TokenKind : std::uint8_t {
  word,         ///< identifier, mnemonic or register with its dotted parts: "ld.global.u32", "%tid.x"
  directive,    ///< ".reg", ".b32": one dotted part that stands alone
  number,       ///< `value`: the bits of an unsigned literal, 0f and 0d floats as they are
  decimal,      ///< "8.7", as in .version
  string,       ///< `text` without the quotes
  punctuation,  ///< one character
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< within the module's text
  std::uint64_t value = 0;
  std::uint32_t line = 1;
};

/// The tokens of `ptx`, `end` last. Skips // and /* */ comments and "@@DWARF" lines; NUL bytes after the end
/// are no part of the text. Throws ParseError.
std::vector<Token> tokenize(std::string_view ptx, std::string_view name);

/// Throws ParseError "NAME:LINE: what, near 'text'"; `near` begins where the trouble is, and is cut short.
[[noreturn]] void fail(std::string_view name, std::uint32_t line, std::string_view what,
                       std::string_view near);

}  // namespace quadpair::ptx
