// The inputs of `report`: told apart by what is in them, not by their names.
#pragma once

#include <string>
#include <vector>

#include "reports/collection.hpp"

namespace quadpair::cli {

/// Reads reports, ledgers and HDF5 files of samples. Throws cases::DataError that names the file for anything
/// else, and for samples of a run of which no report is given.
reports::Collection read_inputs(const std::vector<std::string>& files);

}  // namespace quadpair::cli
