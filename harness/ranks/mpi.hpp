// Ranks that mpirun, or srun with PMIx, has started.
#pragma once

#include <filesystem>
#include <memory>

#include "harness/ranks/messages.hpp"

namespace quadpair::ranks {

/// The plugin beside the program, or in ../lib of it; empty where it is in neither.
std::filesystem::path mpi_plugin();

/// Nothing unless the process was started as one of several ranks; MPI is not even loaded then. Throws
/// NoMessages when it was and there is no plugin, no MPI, or an MPI that the launcher is none of.
std::unique_ptr<Messages> join_ranks(const std::filesystem::path& plugin);

}  // namespace quadpair::ranks
