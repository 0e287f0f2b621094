// What the leading rank and the others say to each other: JSON texts.
//
// Each rank introduces itself. The leading one gives a case to each that is idle, and takes its answer; at
// the end it tells all to stop. Who has nothing to say for some seconds says nothing, but says it: a rank
// that is silent for longer is lost.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "cases/suite.hpp"
#include "reports/record.hpp"

namespace quadpair::ranks {

/// What must be the same on all ranks, the host aside, for one report to tell of all.
struct Introduction {
  std::string host;
  std::string device;   ///< kind, and the name of a GPU
  std::string program;  ///< version and revision
};

struct Given {
  std::size_t index = 0;  ///< the case's place in the suite
  cases::Case c;
};

struct Finished {
  std::size_t index = 0;
  reports::CaseRecord record;
};

/// One message; all empty: a sign of life.
struct Said {
  std::optional<Introduction> introduction{};
  std::optional<Given> given{};
  std::optional<Finished> finished{};
  bool stop = false;
};

std::string to_text(const Said& said);

/// Throws reports::ReadError.
Said said_from_text(const std::string& text);

/// How long a rank waits.
struct Patience {
  std::chrono::milliseconds alive{2'000};  ///< between two signs of life
  std::chrono::milliseconds lost{60'000};  ///< without one
  std::chrono::milliseconds nap{2};        ///< between two looks for messages
};

}  // namespace quadpair::ranks
