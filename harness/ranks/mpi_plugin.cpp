// All calls of MPI: by one thread, and none that waits for another rank, except to finish.
#define OMPI_SKIP_MPICXX  // only the C interface
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <climits>

#include "harness/ranks/mpi_functions.hpp"

namespace quadpair::ranks {
namespace {

constexpr int text_tag = 1;

const char* checked(int error) {
  static char message[MPI_MAX_ERROR_STRING];
  if (error == MPI_SUCCESS) return nullptr;
  int length = 0;
  MPI_Error_string(error, message, &length);
  return message;
}

const char* place_in(MPI_Comm ranks, int* rank, int* size) {
  const char* wrong = checked(MPI_Comm_rank(ranks, rank));
  return wrong != nullptr ? wrong : checked(MPI_Comm_size(ranks, size));
}

const char* start(Place* place) {
  int provided = 0;
  if (const char* wrong = checked(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided)))
    return wrong;
  if (provided < MPI_THREAD_FUNNELED) return "this MPI cannot be used in a program with threads";
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // a rank that is lost must not end the others
  if (const char* wrong = place_in(MPI_COMM_WORLD, &place->rank, &place->size)) return wrong;
  MPI_Comm host = MPI_COMM_NULL;
  if (const char* wrong =
          checked(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host)))
    return wrong;
  const char* wrong = place_in(host, &place->local_rank, &place->local_size);
  MPI_Comm_free(&host);
  return wrong;
}

const char* send(int to, const char* text, std::size_t bytes) {
  if (bytes > INT_MAX) return "a message of more than 2 GiB";
  return checked(MPI_Send(text, static_cast<int>(bytes), MPI_CHAR, to, text_tag, MPI_COMM_WORLD));
}

long long waiting(int* from) {
  int there = 0, bytes = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, text_tag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS) return -2;
  if (there == 0) return -1;
  if (MPI_Get_count(&status, MPI_CHAR, &bytes) != MPI_SUCCESS) return -2;
  *from = status.MPI_SOURCE;
  return bytes;
}

const char* receive(int from, char* text, std::size_t bytes) {
  return checked(
      MPI_Recv(text, static_cast<int>(bytes), MPI_CHAR, from, text_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

void finish() {
  MPI_Finalize();
}

constexpr MpiFunctions functions{start, send, waiting, receive, finish};

}  // namespace
}  // namespace quadpair::ranks

const quadpair::ranks::MpiFunctions* quadpair_mpi() {
  return &quadpair::ranks::functions;
}
