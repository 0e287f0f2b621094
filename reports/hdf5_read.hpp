// Raw samples from the HDF5 files that reports/hdf5.hpp writes.
#pragma once

#include <filesystem>

#include "reports/hdf5.hpp"
#include "reports/samples.hpp"

namespace quadpair::reports {

/// Whether the file begins as HDF5 does (format specification, section II.A).
bool is_hdf5(const std::filesystem::path& file);

/// The id of the run and the samples of each case that has any. Throws Hdf5Error that names the file and what
/// is missing or of another type in it.
RunSamples read_samples(const std::filesystem::path& file);

/// The id of the run. Throws as read_samples does.
std::string read_run_id(const std::filesystem::path& file);

}  // namespace quadpair::reports
