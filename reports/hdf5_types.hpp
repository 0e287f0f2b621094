// The types of the file's values.
#pragma once

#include "reports/hdf5_handle.hpp"

namespace quadpair::reports {

/// IEEE binary16, little-endian; h5py reads it as float16.
TypeHandle half_type();

/// SampleRow as a compound.
TypeHandle sample_type();

/// UTF-8 text of any length; h5py reads it as str.
TypeHandle text_type();

}  // namespace quadpair::reports
