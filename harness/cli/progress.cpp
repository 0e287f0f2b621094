#include "harness/cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "harness/cli/results.hpp"

namespace quadpair::cli {
namespace {

constexpr std::string_view erase_line = "\r\033[K";

}  // namespace

Progress::Progress(std::ostream& err, bool terminal, bool quiet, const Style& style, std::string title,
                   std::size_t planned)
    : err_(err),
      terminal_(terminal),
      quiet_(quiet),
      style_(style),
      title_(std::move(title)),
      planned_(planned) {}

std::string Progress::counts() const {
  return fmt::format("{}/{}{}", summary_.total(), planned_, not_passed(summary_, style_));
}

void Progress::bar() {
  constexpr std::size_t width = 30;
  const std::size_t done = summary_.total(), full = width * done / std::max<std::size_t>(planned_, 1);
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string text =
      fmt::format("{}{} [{:#<{}}{:-<{}}] {}", erase_line, title_, "", full, "", width - full, counts());
  if (done > 0 && done < planned_)
    text += fmt::format(", {:.0f} s left",
                        seconds / static_cast<double>(done) * static_cast<double>(planned_ - done));
  err_ << text << std::flush;
  drawn_ = true;
}

void Progress::line() {
  err_ << title_ << ": " << counts()
       << fmt::format(", {:.1f} s\n", std::chrono::duration<double>(Clock::now() - start_).count())
       << std::flush;
}

void Progress::finished(const reports::CaseRecord& record) {
  reports::count(summary_, record.status);
  if (quiet_) return;
  using enum reports::Status;
  const Clock::time_point now = Clock::now();
  if (record.status != passed) {
    if (drawn_) err_ << erase_line;
    const Tint tint = record.status == failed || record.status == refused ? Tint::red : Tint::yellow;
    err_ << style_(tint, reports::to_string(record.status)) << " " << record.id << "\n";
  }
  if (terminal_) {
    if (drawn_ && record.status == passed && now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    bar();
    return;
  }
  const std::size_t tenth = 10 * summary_.total() / std::max<std::size_t>(planned_, 1);
  if (tenth == shown_tenth_) return;
  shown_tenth_ = tenth;
  line();
}

void Progress::end() {
  if (drawn_) err_ << erase_line << std::flush;
  drawn_ = false;
}

}  // namespace quadpair::cli
