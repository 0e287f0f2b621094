#include "harness/bench/setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/run/device_buffers.hpp"
#include "harness/timing/bandwidth.hpp"
#include "kernels/common/check.hpp"

namespace quadpair::bench {

namespace {

std::uint64_t weight_bytes_of(const run::Problem& p) {
  require(!p.op.reads.empty(), "an operator that multiplies with no weights is not timed");
  std::uint64_t bytes = 0;
  for (const StorageItem& item : storage_of(p, 1))
    if (std::ranges::find(p.op.reads, item.name) != p.op.reads.end()) bytes += item.bytes;
  return bytes;
}

timing::WeightFormat format_of(const run::Problem& p) {
  using timing::WeightFormat;
  if (p.fp8)
    return *p.fp8 == qpn8::ScaleKind::channel ? WeightFormat::qpn8_channel : WeightFormat::qpn8_block;
  const bool persistent = std::ranges::find(p.op.reads, "turbomind_scales") != p.op.reads.end();
  return persistent ? WeightFormat::turbomind_scales : WeightFormat::qpn2;
}

}  // namespace

std::uint64_t BenchCase::weight_bytes() const {
  const std::uint64_t candidate = weight_bytes_of(problem);
  return control ? std::min(candidate, weight_bytes_of(*control)) : candidate;
}

std::uint64_t BenchCase::contract_bytes() const {
  const run::Problem& p = problem;
  return timing::operator_bytes({p.m, p.n, p.k, p.padded_n, p.gated(), matrix->weights->globals.size() > 1},
                                format_of(p))
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
  } else if (options.control.layout) {
    if (candidate.fp8) throw Refused("FP8 weights have but one layout");
    other.layout = *options.control.layout;
  } else if (options.control.tile) {
    if (c.operation != "tm_gemm")
      throw Refused(
          fmt::format("{} has no tile; control {} is for tm_gemm", c.operation, *options.control.tile));
    other.tuning = *options.control.tile;
  } else {
    other.split_k = options.control.tuning->split_k;
    other.chains = options.control.tuning->chains;
  }
  return run::make_problem(other, weights);
}

BenchCase make_case(const cases::Case& c, const Options& options, run::MatrixCache& matrices) {
  const run::Slice slice = matrices.slice(c.slice);
  BenchCase made{run::make_problem(c, *slice.weights), {}, {}, {}};
  made.matrix = matrices.matrix(c.slice, made.problem.halves);
  made.inputs = inputs::make_inputs(c, made.matrix->weights, options.run.seed, 0);
  if (options.control.kind == Control::Kind::kernel)
    made.control = control_problem(c, made.problem, *made.matrix->weights, options);
  return made;
}

Setup::Setup(device::Device& device, const BenchCase& c, const Options& options, std::uint32_t tensors)
    : device_(device),
      case_(c),
      options_(options),
      count_(tensors),
      x_(input_buffer(device, "x", run::bytes_of(c.inputs.x))) {}

Workload Setup::work(const run::Problem& problem) {
  require(problem.policy || problem.fp8, "an operator that multiplies with no weights is not timed");
  const auto [tensors, fresh] = tensors_.try_emplace({problem.policy, problem.target}, device_, problem,
                                                     *case_.matrix, count_, options_.run.find_module);
  return {device_, *case_.matrix, case_.inputs, *x_, tensors->second, options_.run.find_module};
}

std::unique_ptr<Side> Setup::candidate() {
  const run::Problem& problem = case_.problem;
  return problem.library ? library_side(work(problem), problem)
                         : kernel_side(work(problem), problem, options_.early_start);
}

std::unique_ptr<Side> Setup::control() {
  switch (options_.control.kind) {
    case Control::Kind::stream: return stream_side(work(case_.problem), case_.problem);
    case Control::Kind::cublas: return library_side(work(case_.problem), case_.problem);
    case Control::Kind::kernel: break;
  }
  return kernel_side(work(*case_.control), *case_.control, false);
}

}  // namespace quadpair::bench
