// A place in a module's tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/device/emulator/ptx/lexer.hpp"

namespace quadpair::ptx {

/// Reads tokens in order; every error names the module and the line of the token at hand.
class Cursor {
 public:
  Cursor(std::string_view ptx, std::string_view name)
      : ptx_(ptx), name_(name), tokens_(tokenize(ptx, name)) {}

  const Token& peek(std::size_t ahead = 0) const;
  const Token& next();
  bool at_end() const { return peek().kind == TokenKind::end; }

  bool at(char punctuation) const { return is(peek(), punctuation); }
  bool at(std::string_view directive) const;
  bool accept(char punctuation);
  bool accept(std::string_view directive);
  void expect(char punctuation);

  std::string_view word(std::string_view what);  ///< `what` is expected, for the message
  std::string_view directive(std::string_view what);
  std::string_view string(std::string_view what);
  std::uint64_t number(std::string_view what);
  std::uint32_t small_number(std::string_view what);  ///< below 2^31
  /// An integer with signs before it; two's complement.
  std::uint64_t signed_number(std::string_view what);

  /// The text from `first` up to the token at hand, white space and comments between tokens as one blank.
  std::string text_since(const Token& first) const;

  [[noreturn]] void fail(std::string_view what) const { fail(what, peek()); }
  [[noreturn]] void fail(std::string_view what, const Token& near) const;

  static bool is(const Token& token, char punctuation) {
    return token.kind == TokenKind::punctuation && token.text[0] == punctuation;
  }

 private:
  std::string_view ptx_, name_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace quadpair::ptx
