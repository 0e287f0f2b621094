// What surrounds a call of the program, so that tests can call it in process.
#pragma once

#include <filesystem>
#include <iostream>

#include "harness/cli/devices.hpp"
#include "harness/cli/gpu_lock.hpp"
#include "harness/ranks/mpi.hpp"
#include "harness/run/options.hpp"
#include "harness/timing/build.hpp"

namespace quadpair::cli {

struct Environment {
  std::ostream& out;          ///< results
  std::ostream& err;          ///< progress and errors
  bool out_terminal = false;  ///< out is a terminal: colour may be used
  bool err_terminal = false;  ///< err is a terminal: a progress bar may be drawn
  bool no_color = false;      ///< NO_COLOR is set
  run::ModuleLookup find_module = quadpair::find_module;
  std::function<ChosenDevice(const std::string& name, unsigned jobs)> choose_device = cli::choose_device;
  timing::Build build = timing::this_build();
  std::filesystem::path lock_folder = system_lock_folder();  ///< for GPUs that are in use
  std::function<std::unique_ptr<ranks::Messages>()> join_ranks = [] {
    return ranks::join_ranks(ranks::mpi_plugin());
  };
  std::istream& in = std::cin;                               ///< a worker's requests
  std::filesystem::path step_summary{};                      ///< GITHUB_STEP_SUMMARY; empty: none
};

}  // namespace quadpair::cli
