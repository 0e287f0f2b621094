#include "cases/measured_rows.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>

#include "cases/error.hpp"

namespace quadpair::cases {
namespace {

class RowReader {
 public:
  explicit RowReader(const std::filesystem::path& file) : file_(file.string()) {}

  void read(const std::string& line, std::size_t number);
  MeasuredRows finish();

 private:
  static constexpr std::size_t columns(std::size_t width) { return 2 * width + 2; }

  void check_columns();
  std::uint32_t hex(std::size_t column, std::size_t digits) const;
  [[noreturn]] void refuse(std::size_t column, const std::string& why) const;

  std::string file_;
  std::size_t line_ = 0;
  std::vector<std::string> words_;
  MeasuredRows result_;
};

void RowReader::refuse(std::size_t column, const std::string& why) const {
  throw DataError(file_ + ": line " + std::to_string(line_) + ", column " + std::to_string(column + 1) +
                  ", \"" + words_[column] + "\": " + why);
}

std::uint32_t RowReader::hex(std::size_t column, std::size_t digits) const {
  const std::string& word = words_[column];
  std::uint32_t bits = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bits, 16);
  if (word.size() != digits || word[0] == '-' || error != std::errc() || end != word.data() + word.size())
    refuse(column, "not " + std::to_string(digits) + " hex digits, the bits of an FP" +
                       std::to_string(4 * digits) + " number");
  return bits;
}

void RowReader::check_columns() {
  const auto refuse_all = [this](const std::string& wanted) {
    refuse(words_.size() - 1, "the last of " + std::to_string(words_.size()) + " columns, " + wanted);
  };
  if (result_.width != 0 && words_.size() != columns(result_.width))
    refuse_all("but the rows before have " + std::to_string(columns(result_.width)));
  for (const std::size_t width : {4, 8, 16})
    if (words_.size() == columns(width)) result_.width = width;
  if (result_.width == 0) refuse_all("where a row of 4, 8 or 16 products has 10, 18 or 34");
}

void RowReader::read(const std::string& line, std::size_t number) {
  line_ = number;
  words_.clear();
  std::istringstream words(line);
  for (std::string word; words >> word;) words_.push_back(word);
  if (words_.empty() || words_[0][0] == '#') return;
  check_columns();
  MeasuredRow row;
  const std::size_t n = result_.width;
  for (std::size_t k = 0; k < n; ++k) {
    row.a[k] = static_cast<std::uint16_t>(hex(k, 4));
    row.b[k] = static_cast<std::uint16_t>(hex(n + k, 4));
  }
  row.c = hex(2 * n, 8);
  row.d = hex(2 * n + 1, 8);
  result_.rows.push_back(row);
}

MeasuredRows RowReader::finish() {
  if (result_.rows.empty()) throw DataError(file_ + ": no rows");
  return std::move(result_);
}

}  // namespace

MeasuredRows read_measured_rows(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) throw DataError(file.string() + ": cannot be read");
  RowReader reader(file);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) reader.read(line, ++number);
  return reader.finish();
}

}  // namespace quadpair::cases
