// How a run introduces itself in its report.
#pragma once

#include <fmt/format.h>

#include <string>
#include <system_error>

#include "cases/suite.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/devices.hpp"
#include "reports/hdf5.hpp"
#include "reports/record.hpp"

namespace quadpair::cli {

/// The record of a run of the suite that starts now. `model_chosen`: the arithmetic was an option, and not
/// left to the cases.
reports::RunRecord begin_run(const Words& words, const cases::Suite& suite, std::uint64_t seed,
                             const ChosenDevice& device, bool model_chosen);

/// Gives what `make` gives; an error of the file system, of a place where a report could not be written, ends
/// the program as wrong usage of the option.
template <class Make>
auto writable(const char* option, const Make& make) {
  try {
    return make();
  } catch (const std::system_error& e) {
    throw Error(Exit::usage, fmt::format("{}: {}", option, e.what()));
  }
}

/// Calls `write`, which writes the file. Throws Unwritten where it throws an error of the file system or of
/// HDF5.
template <class Write>
void written(const std::string& file, const Write& write) {
  const auto lost = [&](const std::exception& e) {
    return Unwritten(fmt::format("{} could not be written: {}", file, e.what()));
  };
  try {
    write();
  } catch (const std::system_error& e) {
    throw lost(e);
  } catch (const reports::Hdf5Error& e) {
    throw lost(e);
  }
}

/// What has become of a run's files when its results are printed.
enum class Files { whole, lost };

}  // namespace quadpair::cli
