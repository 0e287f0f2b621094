// Files that a library carries in itself. The assembler finds them by relative names through "-Wa,-I,FOLDER",
// and OBJECT_DEPENDS tells the build of them.
#pragma once

#include <cstddef>

/// Declares SYMBOL_begin and SYMBOL_end, the bytes of the file at `path`.
// clang-format off
#define QUADPAIR_EMBED(symbol, path)                                                                          \
  __asm__(".pushsection .rodata\n"                                                                            \
          ".balign 64\n"                                                                                      \
          ".local " #symbol "_begin\n" #symbol "_begin:\n"                                                     \
          ".incbin \"" path "\"\n"                                                                            \
          ".local " #symbol "_end\n" #symbol "_end:\n"                                                         \
          ".popsection\n");                                                                                   \
  extern "C" const std::byte symbol##_begin[] __attribute__((visibility("hidden")));                          \
  extern "C" const std::byte symbol##_end[] __attribute__((visibility("hidden")))
// clang-format on
