// What the plugin that is linked with MPI gives to the program, which is not: a program that needs libmpi to
// start would not start where there is none.
#pragma once

#include <cstddef>

namespace quadpair::ranks {

/// A process among all and among those of its host.
struct Place {
  int rank = 0, size = 1, local_rank = 0, local_size = 1;
};

/// Texts say what is wrong; null when nothing is.
struct MpiFunctions {
  const char* (*start)(Place* place);  ///< joins the run
  const char* (*send)(int to, const char* text, std::size_t bytes);
  /// The size of the next message and whose it is; -1 when there is none yet, -2 on an error.
  long long (*waiting)(int* from);
  const char* (*receive)(int from, char* text, std::size_t bytes);  ///< takes that message
  void (*finish)();                                                 ///< leaves the run, when all others do
};

}  // namespace quadpair::ranks

/// The plugin's one function.
extern "C" const quadpair::ranks::MpiFunctions* quadpair_mpi();
