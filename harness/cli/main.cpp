#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "harness/cli/app.hpp"

int main(int argc, char** argv) {
  const char* no_color = std::getenv("NO_COLOR");
  const quadpair::cli::Environment environment{std::cout, std::cerr, isatty(STDOUT_FILENO) == 1,
                                               isatty(STDERR_FILENO) == 1,
                                               no_color != nullptr && *no_color != '\0'};
  return quadpair::cli::run({argv, argv + argc}, environment);
}
