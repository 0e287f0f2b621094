#include "harness/bench/setup.hpp"

#include <fmt/format.h>

#include "harness/run/device_buffers.hpp"
#include "harness/timing/bandwidth.hpp"
#include "kernels/common/error.hpp"

namespace quadpair::bench {

std::uint64_t BenchCase::contract_bytes() const {
  const run::Problem& p = problem;
  return timing::operator_bytes({p.m, p.n, p.k, p.padded_n, p.gated, matrix->weights->globals.size() > 1},
                                timing::WeightFormat::qpn2)
      .total();
}

run::Problem control_problem(const cases::Case& c, const run::Problem& candidate,
                             const cases::QuantizedMatrix& weights, const Options& options) {
  cases::Case other = c;
  if (const auto target = options.control.target) {
    const auto model = options.arithmetic(*target, candidate.model);
    if (!model) throw Refused(fmt::format("this device does not run {} code", to_string(*target)));
    other.target = to_string(*target);
    other.model = to_string(*model);
    other.split_k = other.chains = 0;
  } else {
    other.split_k = options.control.tuning->split_k;
    other.chains = options.control.tuning->chains;
  }
  return run::make_problem(other, weights);
}

BenchCase make_case(const cases::Case& c, const Options& options, run::MatrixCache& matrices) {
  const run::Slice slice = matrices.slice(c.slice);
  BenchCase made{run::make_problem(c, *slice.weights), {}, {}, {}};
  made.matrix = matrices.matrix(c.slice, made.problem.halves());
  made.inputs = inputs::make_inputs(c, made.matrix->weights, options.run.seed, 0);
  if (options.control.kind == Control::Kind::kernel)
    made.control = control_problem(c, made.problem, *made.matrix->weights, options);
  return made;
}

Setup::Setup(device::Device& device, const BenchCase& c, const Options& options, std::uint32_t tensors)
    : device_(device),
      case_(c),
      options_(options),
      x_(input_buffer(device, "x", run::bytes_of(c.inputs.x))),
      tensors_(device, *c.matrix, tensors) {}

std::unique_ptr<Side> Setup::control() const {
  switch (options_.control.kind) {
    case Control::Kind::stream: return stream_side(work(), case_.problem.target);
    case Control::Kind::cublas: return library_side(work(), case_.problem);
    case Control::Kind::kernel: break;
  }
  return kernel_side(work(), *case_.control, false);
}

}  // namespace quadpair::bench
