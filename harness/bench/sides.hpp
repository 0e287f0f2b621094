// The sides there are: a kernel of the project, a plain read, a vendor's library.
#pragma once

#include <memory>

#include "harness/bench/side.hpp"
#include "harness/bench/tensors.hpp"
#include "harness/inputs/inputs.hpp"
#include "harness/run/options.hpp"
#include "harness/run/problem.hpp"

namespace quadpair::bench {

/// What both sides of a case work on. All of it outlives the sides.
struct Workload {
  device::Device& device;
  const run::Matrix& matrix;
  const inputs::Inputs& inputs;
  const device::Buffer& x;  ///< the inputs' activations
  const Tensors& tensors;   ///< under the policy of the side's problem
  const run::ModuleLookup& find_module;
};

/// What the problem's operator needs beside its output, or null, and its address, or 0.
std::unique_ptr<device::Buffer> workspace_of(const Workload& work, const run::Problem& problem);
DevicePtr workspace_address(const Output& output);

/// What a use on one tensor works on.
run::Operands operands_of(const Workload& work, std::uint32_t tensor, const Output& output);

/// The operator by the problem's kernels, judged bit for bit by the reference. With `early_start` each use
/// may start before the one ahead of it has ended. Throws Refused, also where the kernel cannot start early.
std::unique_ptr<Side> kernel_side(const Workload& work, const run::Problem& problem, bool early_start);

/// A plain read of the codes and scales that the problem's operator reads, by the target's kernel, judged by
/// their exclusive ors. Throws Refused where it reads none.
std::unique_ptr<Side> stream_side(const Workload& work, const run::Problem& problem);

/// The plain product (without the gated operator's silu) over FP16 weights, decoded beforehand, or chunk by
/// chunk in the same use where the operator does so (dense_prefill). Judged by the bound on the error of any
/// sum in fused steps like the problem's. Throws device::Unavailable.
std::unique_ptr<Side> library_side(const Workload& work, const run::Problem& problem);

}  // namespace quadpair::bench
