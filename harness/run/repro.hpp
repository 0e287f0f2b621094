// Shell commands that repeat one case.
#pragma once

#include <string>
#include <string_view>

namespace quadpair::run {

/// The word as a POSIX shell reads it back, quoted only where it has to be.
std::string shell_word(std::string_view word);

/// An ECMAScript regular expression that matches exactly this case id.
std::string exact_pattern(std::string_view id);

/// `command` with the --filter that leaves only the case.
std::string repro(std::string_view command, std::string_view id);

}  // namespace quadpair::run
