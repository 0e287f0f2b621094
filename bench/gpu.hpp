// Benchmarks of the kernels on a GPU.
#pragma once

namespace quadpair {

/// Registers the production shapes on the first GPU; nothing where there is none.
void register_gpu_benchmarks();

}  // namespace quadpair
