// Benchmarks of the kernels: on the emulator, and on a GPU where there is one.
#pragma once

namespace quadpair {

/// Registers every operator on the emulator at one projection, and on the first GPU at the production shapes.
void register_kernel_benchmarks();

}  // namespace quadpair
