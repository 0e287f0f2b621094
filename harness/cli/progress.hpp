// How far a run is: a bar on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "harness/cli/style.hpp"
#include "reports/record.hpp"

namespace quadpair::cli {

class Progress {
 public:
  /// `err` gets nothing when quiet.
  Progress(std::ostream& err, bool terminal, bool quiet, const Style& style, std::string title,
           std::size_t planned);

  /// Counts one more case; one that did not pass is named at once.
  void finished(const reports::CaseRecord& record);

  /// Takes the bar away.
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  std::string counts() const;
  void bar();
  void line();

  std::ostream& err_;
  const bool terminal_, quiet_;
  const Style style_;
  const std::string title_;
  const std::size_t planned_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_;
  std::size_t shown_tenth_ = 0;
  bool drawn_ = false;
  reports::Summary summary_;
};

}  // namespace quadpair::cli
