#include "harness/device/emulator/ptx/cursor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quadpair::ptx {

const Token& Cursor::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& Cursor::next() {
  const Token& token = peek();
  at_ = std::min(at_ + 1, tokens_.size() - 1);
  return token;
}

bool Cursor::at(std::string_view directive) const {
  return peek().kind == TokenKind::directive && peek().text == directive;
}

bool Cursor::accept(char punctuation) {
  const bool found = at(punctuation);
  if (found) next();
  return found;
}

bool Cursor::accept(std::string_view directive) {
  const bool found = at(directive);
  if (found) next();
  return found;
}

void Cursor::expect(char punctuation) {
  if (!accept(punctuation)) fail(fmt::format("'{}' expected", punctuation));
}

std::string_view Cursor::word(std::string_view what) {
  if (peek().kind != TokenKind::word) fail(fmt::format("{} expected", what));
  return next().text;
}

std::string_view Cursor::directive(std::string_view what) {
  if (peek().kind != TokenKind::directive) fail(fmt::format("{} expected", what));
  return next().text;
}

std::string_view Cursor::string(std::string_view what) {
  if (peek().kind != TokenKind::string) fail(fmt::format("{} expected", what));
  return next().text;
}

std::uint64_t Cursor::number(std::string_view what) {
  if (peek().kind == TokenKind::decimal) fail("decimal floating-point literal (only 0f and 0d are known)");
  if (peek().kind != TokenKind::number) fail(fmt::format("{} expected", what));
  return next().value;
}

std::uint32_t Cursor::small_number(std::string_view what) {
  const Token& token = peek();
  const std::uint64_t value = number(what);
  if (value >> 31 != 0) fail(fmt::format("{} is too large", what), token);
  return static_cast<std::uint32_t>(value);
}

std::uint64_t Cursor::signed_number(std::string_view what) {
  bool negative = false;
  while (at('-') || at('+')) negative ^= is(next(), '-');
  const std::uint64_t value = number(what);
  return negative ? 0 - value : value;
}

std::string Cursor::text_since(const Token& first) const {
  std::string text;
  const char* end = first.text.data();
  for (const Token* token = &first; token != &peek(); ++token) {
    if (token->text.data() > end) text += ' ';
    text += token->text;
    end = token->text.data() + token->text.size();
  }
  return text;
}

void Cursor::fail(std::string_view what, const Token& near) const {
  const std::size_t offset = static_cast<std::size_t>(near.text.data() - ptx_.data());
  ptx::fail(name_, near.line, what, ptx_.substr(std::min(offset, ptx_.size())));
}

}  // namespace quadpair::ptx
