#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "harness/cli/app.hpp"

namespace {

/// A report opened while a standard stream is closed would get its number, and what is printed with it.
void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  const char* no_color = std::getenv("NO_COLOR");
  quadpair::cli::Environment environment{std::cout, std::cerr, isatty(STDOUT_FILENO) == 1,
                                         isatty(STDERR_FILENO) == 1,
                                         no_color != nullptr && *no_color != '\0'};
  if (const char* summary = std::getenv("GITHUB_STEP_SUMMARY")) environment.step_summary = summary;
  return quadpair::cli::run({argv, argv + argc}, environment);
}
