// One stored matrix, whatever its format.
#pragma once

#include <string>

#include "cases/checkpoint/checkpoint.hpp"
#include "cases/checkpoint/quantize.hpp"
#include "cases/checkpoint/read_fp8.hpp"

namespace quadpair::cases {

/// What the tensors of a module are.
enum class Stored { nvfp4, fp8, dense };

/// How module "X" is stored and its shape, from dtypes and the declared format; reads no tensor.
struct StoredMatrix {
  Stored stored = Stored::dense;
  StoredShape shape;
};

/// Throws DataError naming file and tensor for a module that is missing, whose tensors do not fit together,
/// that is quantised though nothing declares how, or though the declaration says it is not.
StoredMatrix stored_matrix(const Checkpoint& checkpoint, const std::string& module);

/// A cut of module "X". Dense tensors are quantised as `quantize` says, by the amax of the whole tensor
/// (NVFP4) or of whole rows (FP8), so that slices of ranks agree; quantised ones stay as they are. Throws
/// DataError, also for a dense one and Quantize::none.
QuantizedMatrix read_matrix(const Checkpoint& checkpoint, const std::string& module, const Cut& cut,
                            Quantize quantize);

}  // namespace quadpair::cases
