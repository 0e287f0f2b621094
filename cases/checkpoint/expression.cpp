#include "cases/checkpoint/expression.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();

class Evaluation {
 public:
  Evaluation(std::string_view text, const std::string& where,
             const std::function<std::uint64_t(std::string_view)>& number)
      : text_(text), where_(where), number_(number) {}

  std::uint32_t sum() {
    std::uint64_t value = product();
    while (take('+')) value = checked(value + product());
    if (at_ != text_.size()) fail("is not a sum of products");
    return static_cast<std::uint32_t>(value);
  }

 private:
  std::uint64_t product() {
    std::uint64_t value = factor();
    while (true) {
      if (take('*')) {
        value = checked(value * factor());
      } else if (take('/')) {
        const std::uint64_t divisor = factor();
        if (divisor == 0 || value % divisor != 0)
          fail(fmt::format("divides {} by {}, which leaves a rest", value, divisor));
        value /= divisor;
      } else {
        return value;
      }
    }
  }

  std::uint64_t factor() {
    const std::string_view word = text_.substr(at_, text_.find_first_of("+*/", at_) - at_);
    at_ += word.size();
    if (word.empty()) fail("is not a sum of products");
    if (word.front() < '0' || word.front() > '9') return checked(number_(word));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) fail("is not a sum of products");
    return checked(value);
  }

  bool take(char sign) {
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  std::uint64_t checked(std::uint64_t value) const {
    if (value > most) fail("is 2^32 or more");
    return value;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw DataError(fmt::format("{}: \"{}\" {}", where_, text_, why));
  }

  std::string_view text_;
  const std::string& where_;
  const std::function<std::uint64_t(std::string_view)>& number_;
  std::size_t at_ = 0;
};

}  // namespace

std::uint32_t evaluate(std::string_view expression, const std::string& where,
                       const std::function<std::uint64_t(std::string_view name)>& number) {
  return Evaluation(expression, where, number).sum();
}

}  // namespace quadpair::cases
