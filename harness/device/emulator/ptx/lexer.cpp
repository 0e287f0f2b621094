#include "harness/device/emulator/ptx/lexer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "harness/device/emulator/ptx/parser.hpp"

namespace quadpair::ptx {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool follows(char c) {
  return is_digit(c) || is_letter(c) || c == '_' || c == '$';
}
constexpr bool starts_word(char c) {
  return is_letter(c) || c == '_' || c == '$' || c == '%';
}

class Lexer {
 public:
  Lexer(std::string_view ptx, std::string_view name) : text_(ptx), name_(name) {
    while (!text_.empty() && text_.back() == '\0') text_.remove_suffix(1);
    tokens_.reserve(text_.size() / 4);
  }

  std::vector<Token> run() {
    for (skip_blank(); at_ < text_.size(); skip_blank()) token();
    add(TokenKind::end, at_);
    return std::move(tokens_);
  }

 private:
  char look(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  [[noreturn]] void fail_at(std::size_t where, std::string_view what) const {
    fail(name_, line_, what, text_.substr(where));
  }

  void add(TokenKind kind, std::size_t start, std::uint64_t value = 0) {
    tokens_.push_back({kind, text_.substr(start, at_ - start), value, line_});
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_blank() {
    for (;; ++at_) {
      if (look() == '\n') {
        ++line_;
      } else if ((look() == '/' && look(1) == '/') || (look() == '@' && look(1) == '@')) {
        skip_line();
        --at_;
      } else if (look() == '/' && look(1) == '*') {
        skip_comment();
      } else if (look() != ' ' && look() != '\t' && look() != '\r') {
        return;
      }
    }
  }

  void skip_comment() {
    const std::size_t start = at_, end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail_at(start, "comment without an end");
    for (; at_ <= end; ++at_) line_ += text_[at_] == '\n';
  }

  void token() {
    const std::size_t start = at_;
    if (starts_word(look())) {
      ++at_;
      word(start);
    } else if (is_digit(look())) {
      number(start);
    } else if (look() == '.' && (is_letter(look(1)) || look(1) == '_')) {
      for (++at_; follows(look()); ++at_) {
      }
      add(TokenKind::directive, start);
    } else if (look() == '"') {
      string(start);
    } else if (std::string_view("@!|:;,{}[]()<>+-=").find(look()) != std::string_view::npos) {
      ++at_;
      add(TokenKind::punctuation, start);
    } else {
      fail_at(start, "unexpected character");
    }
  }

  void word(std::size_t start) {
    for (;;) {
      while (follows(look())) ++at_;
      if (look() == '.' && follows(look(1))) {
        at_ += 2;
      } else if (look() == ':' && look(1) == ':' && follows(look(2))) {
        at_ += 3;
      } else {
        break;
      }
    }
    add(TokenKind::word, start);
  }

  void string(std::size_t start) {
    const std::size_t end = text_.find_first_of("\"\n", start + 1);
    if (end == std::string_view::npos || text_[end] == '\n') fail_at(start, "string without an end");
    at_ = end;
    add(TokenKind::string, start + 1);
    ++at_;
  }

  /// Integers (decimal, 0x, 0b, octal, optional U) and the bit patterns of floats (0f, 0d).
  void number(std::size_t start) {
    while (follows(look())) ++at_;
    if (look() == '.') {
      for (++at_; follows(look()); ++at_) {
      }
      return add(TokenKind::decimal, start);
    }
    std::string_view digits = text_.substr(start, at_ - start);
    const char prefix = digits.size() > 2 && digits[0] == '0' ? static_cast<char>(digits[1] | 0x20) : '\0';
    int base = digits.size() > 1 && digits[0] == '0' ? 8 : 10;
    if (prefix == 'f' || prefix == 'd') {
      if (digits.size() != (prefix == 'f' ? 10u : 18u)) fail_at(start, "bad floating-point literal");
      base = 16;
    } else if (prefix == 'x' || prefix == 'b') {
      base = prefix == 'x' ? 16 : 2;
    }
    if (base == 16 || base == 2) digits.remove_prefix(2);
    if (prefix != 'f' && prefix != 'd' && digits.back() == 'U') digits.remove_suffix(1);
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    if (error == std::errc::result_out_of_range) fail_at(start, "literal of more than 64 bits");
    if (error != std::errc{} || stop != end) fail_at(start, "bad literal");
    add(TokenKind::number, start, value);
  }

  std::string_view text_, name_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view ptx, std::string_view name) {
  return Lexer(ptx, name).run();
}

void fail(std::string_view name, std::uint32_t line, std::string_view what, std::string_view near) {
  constexpr std::size_t longest = 60;
  near = near.substr(0, std::min(near.find('\n'), longest));
  throw ParseError(fmt::format("{}:{}: {}, near '{}'", name, line, what, near));
}

}  // namespace quadpair::ptx
