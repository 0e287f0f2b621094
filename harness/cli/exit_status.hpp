// Exit statuses, which scripts rely on.
#pragma once

#include <stdexcept>
#include <string>

#include "reports/record.hpp"

namespace quadpair::cli {

enum class Exit {
  good = 0,         ///< all as wanted
  wrong = 1,        ///< wrong results
  costlier = 2,     ///< slower or costlier than allowed
  undecided = 3,    ///< ambiguous or mistrusted
  nothing_ran = 4,  ///< not one case
  usage = 64,       ///< a wrong option or argument, or an output file that cannot be written
  bad_data = 65,    ///< input that cannot be used
  no_device = 69,   ///< the device asked for is not there, or in use
  internal = 70     ///< a fault of the program
};

/// An error that ends the program with a status of its own.
struct Error : std::runtime_error {
  Error(Exit status, const std::string& message) : std::runtime_error(message), exit(status) {}
  Exit exit;
};

/// An output file that cannot be written, at the end or on the way: names it and the cause.
struct Unwritten : Error {
  explicit Unwritten(const std::string& message) : Error(Exit::usage, message) {}
};

/// The status of a run: failed counts most, then nothing run, then refused input, then mistrusted.
Exit exit_of(const reports::Summary& summary);

}  // namespace quadpair::cli
